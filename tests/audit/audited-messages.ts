/** The messages of the short audit, and messages with a planted defect that it must find. */
import { bidRequest } from '../../src/openrtb/schema/bid-request.ts';
import { joiPreferences, string } from '../../src/openrtb/schema/rules.ts';
import { findParts, partName } from '../../load/audit/parts.ts';
import { plainBids, plainProducts, plainRequestBody } from '../../load/audit/plain.ts';
import { inTestMode, type SampledPart, sampledParts } from '../../load/audit/request-cases.ts';
import { sampleBidResponse, sampleBidResponses, sampleProducts, sampleRequests } from '../../load/audit/samples.ts';
import type { AuditedMessage } from './audit-work.ts';
import { createInProcess, type Texts } from './exchange-in-process.ts';
import { plantedRule } from './planted-rule.ts';

const ordinary: Texts = {
  request: JSON.stringify(sampleRequests[0]),
  bids: JSON.stringify(sampleBidResponse),
  products: JSON.stringify(sampleProducts),
};

type Kind = 'request' | 'test request' | 'bids' | 'products' | 'planted';

export function auditedMessage(kind: Kind): AuditedMessage {
  if (kind === 'planted') return planted;
  const handle = createInProcess();
  const member = kind === 'test request' ? 'request' : kind;
  const parts = {
    request: () => sampledParts(),
    'test request': () => inTestMode(sampledParts()),
    bids: () => partsOf(sampleBidResponses),
    products: () => partsOf([sampleProducts]),
  };
  const plain = {
    request: plainRequestBody,
    'test request': plainTestRequest,
    bids: plainBids,
    products: plainProducts,
  };
  return { parts: parts[kind](), plain: plain[kind], handle: (text) => handle({ ...ordinary, [member]: text }) };
}

const plainTestRequest = (bytes: number): string =>
  plainRequestBody(bytes, { ...(sampleRequests[0] as { user: object }), test: 1 } as { user: object });

const partsOf = (samples: readonly object[]): SampledPart[] =>
  findParts(undefined, samples).map((part) => ({ part, sample: samples[0]!, name: partName(part) }));

/** The bid request with a field that no list of the audit names. */
const schema = bidRequest.append({ planted: string().custom(plantedRule) });

const planted: AuditedMessage = {
  parts: sampledParts(schema).filter(({ name }) => name === 'planted' || name === 'id'),
  plain: plainRequestBody,
  handle: (text) => schema.prefs(joiPreferences).validate(JSON.parse(text), { context: { natives: new Map() } }),
};
