/** The components that describe a bid request, from the Joi schemas. */
import { bidRequest } from '../../../src/openrtb/schema/bid-request.ts';
import { nativeRequest } from '../../../src/openrtb/schema/native-request.ts';
import { errorTable } from '../../../src/http/http-errors.ts';
import { rulesBeyondSchema } from './custom-rules.ts';
import { bidRequestFields, nativeRequestFields } from './field-descriptions.ts';
import { type Annotations, fromJoi } from './from-joi.ts';
import { type JsonSchema, refTo } from './json-schema.ts';

/** A value that never rejects a request. */
const any = (description: string): JsonSchema => ({ description });

const ofBidRequest: Annotations = {
  components: {
    '': 'BidRequest',
    'imp[]': 'Imp',
    'imp[].native': 'Native',
    'imp[].pmp': 'Pmp',
    'imp[].pmp.deals[]': 'Deal',
    'imp[].ext.service.adcpFormats[]': 'AdcpFormat',
    source: 'Source',
    site: 'Site',
    app: 'App',
    device: 'Device',
    user: 'User',
    regs: 'Regs',
    'ext.service': 'ContextSignals',
  },
  descriptions: bidRequestFields,
  unchecked: {
    'imp[]': {
      secure: any('1, "1" or true: images and trackers must be https. Other values are ignored.'),
    },
    'imp[].ext': {
      service_product_search: any(
        'A price filter for product search (integration level 4): min_price, max_price, price_currency. Invalid values are ignored.',
      ),
    },
    device: {
      lmt: any('1, "1" or true: the user limits ad tracking. Other values are ignored.'),
      dnt: any('1, "1" or true: the user does not want to be tracked. Other values are ignored.'),
    },
    'regs.ext': {
      gpc: any('1, "1" or true: Global Privacy Control. Other values are ignored.'),
      dsa: any('Requirements of the Digital Services Act. A bid that does not meet them is dropped.'),
    },
  },
};

const ofNativeRequest: Annotations = {
  components: { '': 'NativeRequest', 'assets[]': 'NativeAsset' },
  descriptions: nativeRequestFields,
  unchecked: {},
};

const hasNative = { required: ['native'], properties: { native: { not: { type: 'null' } } } };

/** The text may hold the native request itself, or the object of Native 1.0 that has it as a member. */
const nativeRequestText: JsonSchema = {
  type: 'object',
  description: 'What the JSON text in imp[].native.request holds.',
  if: hasNative,
  then: { properties: { native: refTo('NativeRequest') } },
  else: refTo('NativeRequest'),
};

export function bidRequestSchemas(): Record<string, JsonSchema> {
  const { BidRequest, ...others } = fromJoi(bidRequest, ofBidRequest);
  return {
    BidRequest: { ...BidRequest, 'x-rules-beyond-schema': describedRules() },
    ...others,
    NativeRequestText: nativeRequestText,
    ...fromJoi(nativeRequest, ofNativeRequest),
  };
}

/** For readers: the rules that a validator generated from this description does not check. */
const describedRules = () =>
  Object.entries(rulesBeyondSchema).map(([rule, { description, row }]) => ({
    rule,
    description,
    status: errorTable[row].status,
    code: errorTable[row].code,
  }));
