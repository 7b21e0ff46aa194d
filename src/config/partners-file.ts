/** The partners file: its text to settings, or every problem in it at once. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Joi from 'joi';
import { type AdapterName, adapters, type PartnerSettings } from '../demand/registry.ts';
import { describeProblems, readAllProblems } from './problems.ts';

/** The demand of local runs, where no file is named. */
export const sandboxFile = fileURLToPath(new URL('../sandbox/partners.json', import.meta.url));

const adapterNames = Object.keys(adapters) as AdapterName[];

const partnerOf = (name: AdapterName) =>
  Joi.object({
    name: Joi.string()
      .max(64)
      .pattern(/^[\w.-]+$/, 'letters, digits, ., - and _')
      .required(),
    adapter: Joi.string().valid(name).required(),
    test: Joi.boolean().default(false),
    ...adapters[name].settings,
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

export function readPartnersFile(path: string): { partners: PartnerSettings[] } | { problems: string[] } {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return { problems: [`DEMAND_FILE ${path}: ${(error as Error).message}`] };
  }
  const { value, error } = partnersFile.validate(content, { ...readAllProblems, convert: false });
  if (error) return { problems: describeProblems(error).map((problem) => `DEMAND_FILE ${path}: ${problem}`) };
  return { partners: value.partners };
}
