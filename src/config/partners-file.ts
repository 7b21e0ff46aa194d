/** The partners file: its text to settings, or every problem in it at once. */
import { readFileSync } from 'node:fs';
import Joi from 'joi';
import type { PartnerSettings } from '../demand/adapter.ts';
import { adapters } from '../demand/registry.ts';
import { describeProblems, readAllProblems } from './problems.ts';

const adapterNames = Object.keys(adapters);

const partnerOf = (name: string) =>
  Joi.object({
    name: Joi.string()
      .max(64)
      .pattern(/^[\w.-]+$/, 'letters, digits, ., - and _')
      .required(),
    adapter: Joi.string().valid(name).required(),
    test: Joi.boolean().default(false),
    timeoutMs: Joi.number().integer().min(10).max(5_000),
    maxQps: Joi.number().integer().min(1),
    ...adapters[name]!.settings,
  });

const partner = Joi.alternatives().conditional('.adapter', {
  switch: adapterNames.map((name) => ({ is: name, then: partnerOf(name) })),
  otherwise: Joi.object({
    adapter: Joi.string()
      .valid(...adapterNames)
      .required(),
  }).unknown(),
});

const partnersFile = Joi.object<{ partners: PartnerSettings[] }>({
  partners: Joi.array().items(partner).min(1).unique('name').required(),
}).required();

export type PartnersReading = { partners: PartnerSettings[] } | { problems: string[] };

export function readPartnersFile(path: string): PartnersReading {
  const source = `DEMAND_FILE ${path}`;
  try {
    return readPartners(JSON.parse(readFileSync(path, 'utf8')), source);
  } catch (error) {
    return { problems: [`${source}: ${(error as Error).message}`] };
  }
}

/** `source` is named in every problem. */
export function readPartners(content: unknown, source: string): PartnersReading {
  const { value, error } = partnersFile.validate(content, { ...readAllProblems, convert: false });
  return error
    ? { problems: describeProblems(error).map((problem) => `${source}: ${problem}`) }
    : { partners: value.partners };
}
