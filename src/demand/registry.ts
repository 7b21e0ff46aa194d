/** The adapters there are, by the name that the partners file uses. A new one is a folder and a line here. */
import type Joi from 'joi';
import type { Partner } from './adapter.ts';
import { house } from './house/house.ts';

/** What every partner has, whichever its adapter. */
export interface PartnerSettings {
  name: string;
  adapter: AdapterName;
  test: boolean;
}

/** An adapter: the members it adds to a partner's settings, and how a partner is made of settings that passed them. */
export interface Adapter {
  settings: Joi.SchemaMap;
  createPartner(settings: PartnerSettings): Partner;
}

export const adapters = { house };

export type AdapterName = keyof typeof adapters;

export const createPartner = (settings: PartnerSettings): Partner => adapters[settings.adapter].createPartner(settings);
