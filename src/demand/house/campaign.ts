/** A direct campaign in the partners file: its type and its Joi rules. */
import Joi from 'joi';
import type { AdcpFormat } from '../../openrtb/bid-request.ts';
import type { Image } from '../../openrtb/native-creative.ts';

export interface Campaign {
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
  image?: Image;
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

const webUrl = () => Joi.string().uri({ scheme: ['https', 'http'] });
const agentUrl = () =>
  Joi.string()
    .uri({ scheme: ['https'] })
    .custom((url: string, helpers) => (URL.canParse(url) ? url : helpers.error('string.uri')));
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
  cpm: Joi.number().min(0.000001).max(100_000).required(),
  landing: webUrl().required(),
  title: Joi.string().required(),
  adomain: Joi.array().items(Joi.string().hostname()),
  cat: Joi.array().items(Joi.string()),
  cattax: Joi.number().integer().min(1),
  attr: Joi.array().items(Joi.number().integer().min(1)),
  dealid: Joi.string().max(255),
  description: Joi.string(),
  image: Joi.object({
    url: webUrl().required(),
    w: Joi.number().integer().min(1),
    h: Joi.number().integer().min(1),
  }),
  cta: Joi.string(),
  sponsor: Joi.string(),
  price: Joi.string(),
  target,
});
