/** A direct campaign in the partners file: its type and its Joi rules. */
import Joi from 'joi';
import { maxPrice } from '../../money/max-price.ts';
import { maxAgentUrlLength, readAgentUrl } from '../../openrtb/agent-url.ts';
import { maxStringLength } from '../../openrtb/bid-bounds.ts';
import type { AdcpFormat } from '../../openrtb/bid-request.ts';
import type { Image } from '../../openrtb/native-creative.ts';
import { type Notices, noticeSettings } from '../notices.ts';
import { webUrl } from '../web-url.ts';

export interface Campaign extends Notices {
  id: string;
  cpm: number;
  landing: string;
  title: string;
  adomain?: string[];
  cat?: string[];
  cattax?: number;
  attr?: number[];
  /** It bids only on impressions that offer this deal. */
  dealid?: string;
  description?: string;
  /** Fills image assets of type 3, or without a type. */
  image?: Image;
  /** Fills image assets of type 1. */
  icon?: Image;
  cta?: string;
  sponsor?: string;
  price?: string;
  target?: Target;
}

/** Every member given must match; a member matches if any of its values does. */
export interface Target {
  keywords?: string[];
  intents?: string[];
  funnelStages?: string[];
  sentiments?: string[];
  countries?: string[];
  categories?: string[];
  formats?: AdcpFormat[];
}

const imageFile = () =>
  Joi.object<Image>({
    url: webUrl().required(),
    w: Joi.number().integer().min(1),
    h: Joi.number().integer().min(1),
  });

/** By the rule that `adcpFormats[].agent_url` of a request follows. */
const agentUrl = () =>
  Joi.string()
    .max(maxAgentUrlLength)
    .custom((text: string, helpers) => {
      const url = readAgentUrl(text);
      if ('problem' in url) return helpers.error('agentUrl', { problem: url.problem });
      return URL.canParse(text) ? text : helpers.error('agentUrl', { problem: 'its host is not valid' });
    })
    .messages({ agentUrl: '{#label} must be an https URL; {#problem}' });
const values = () => Joi.array().items(Joi.string()).min(1);

const target = Joi.object<Target>({
  keywords: values(),
  intents: values(),
  funnelStages: values(),
  sentiments: values(),
  countries: values(),
  categories: values(),
  formats: Joi.array()
    .items(Joi.object({ agent_url: agentUrl().required(), id: Joi.string().required() }))
    .min(1),
});

export const campaign = Joi.object<Campaign>({
  id: Joi.string().required(),
  cpm: Joi.number().min(0.000001).max(maxPrice).required(),
  landing: webUrl().required(),
  title: Joi.string().required(),
  adomain: Joi.array().items(Joi.string().hostname()),
  cat: Joi.array().items(Joi.string()),
  cattax: Joi.number().integer().min(1),
  attr: Joi.array().items(Joi.number().integer().min(1)),
  dealid: Joi.string().max(maxStringLength),
  description: Joi.string(),
  image: imageFile(),
  icon: imageFile(),
  cta: Joi.string(),
  sponsor: Joi.string(),
  price: Joi.string(),
  ...noticeSettings,
  target,
});
