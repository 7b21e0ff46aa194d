/** Reads and validates the partners file (DEMAND_FILE). */
import { readFileSync } from 'node:fs';
import Joi from 'joi';
import type { PartnerSettings } from '../demand/adapter.ts';
import { adapters } from '../demand/registry.ts';
import { describeProblems, reportAllProblems } from './config-error.ts';

const adapterNames = Object.keys(adapters);

const partnerSchema = (adapter: string) =>
  Joi.object({
    name: Joi.string()
      .max(64)
      .pattern(/^[\w.-]+$/, 'letters, digits, ., - and _')
      .required(),
    adapter: Joi.string().valid(adapter).required(),
    test: Joi.boolean().default(false),
    timeoutMs: Joi.number().integer().min(10).max(5_000),
    maxQps: Joi.number().integer().min(1),
    ...adapters[adapter]!.settings,
  });

const partner = Joi.alternatives().conditional('.adapter', {
  switch: adapterNames.map((name) => ({ is: name, then: partnerSchema(name) })),
  otherwise: Joi.object({
    adapter: Joi.string()
      .valid(...adapterNames)
      .required(),
  }).unknown(),
});

const partnersFile = Joi.object<{ partners: PartnerSettings[] }>({
  partners: Joi.array().items(partner).min(1).unique('name').required(),
}).required();

export type PartnersResult = { partners: PartnerSettings[] } | { problems: string[] };

export function readPartnersFile(path: string): PartnersResult {
  const source = `DEMAND_FILE ${path}`;
  try {
    return readPartners(JSON.parse(readFileSync(path, 'utf8')), source);
  } catch (error) {
    return { problems: [`${source}: ${(error as Error).message}`] };
  }
}

/** Validates the parsed content; every problem starts with `source`. */
export function readPartners(content: unknown, source: string): PartnersResult {
  const { value, error } = partnersFile.validate(content, { ...reportAllProblems, convert: false });
  return error
    ? { problems: describeProblems(error).map((problem) => `${source}: ${problem}`) }
    : { partners: value.partners };
}
