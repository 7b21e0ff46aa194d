/** Reads and validates the partners file (DEMAND_FILE). */
import { readFileSync } from 'node:fs';
import Joi from 'joi';
import type { Adapter, PartnerSettings } from '../demand/adapter.ts';
import { endpoint } from '../demand/endpoint.ts';
import { adapters } from '../demand/registry.ts';
import { reportAllProblems } from './config-error.ts';
import { parseFile } from './parse-file.ts';
import { toWellFormed } from '../json/well-formed.ts';
import { resolveSecrets, type Variables } from './secrets.ts';

const adapterNames = Object.keys(adapters);

/** The highest id that a consent string can hold. */
const maxGvlId = 65_535;

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
    gvlId: Joi.number().integer().min(1).max(maxGvlId),
    ...adapterSettings(adapters[adapter]!),
  });

/** A partner that is called over HTTP always has an endpoint. */
function adapterSettings({ kind, settings }: Adapter): Joi.SchemaMap {
  if (kind === 'local') return settings;
  const rule = 'endpoint' in settings ? (settings.endpoint as Joi.StringSchema) : endpoint({ allowQuery: true });
  return { ...settings, endpoint: rule.required() };
}

const partner = Joi.alternatives().conditional('.adapter', {
  switch: adapterNames.map((name) => ({ is: name, then: partnerSchema(name) })),
  otherwise: Joi.object({
    adapter: Joi.string()
      .valid(...adapterNames)
      .required(),
  }).unknown(),
});

const partnersFile = Joi.object<{ partners: PartnerSettings[] }>({
  partners: Joi.array()
    .items(partner)
    .min(1)
    .unique('name')
    .messages({ 'array.unique': '{#label}.name: {#value.name} is also the name of partners[{#dupePos}]' })
    .required(),
}).required();

export type PartnersResult = { partners: PartnerSettings[] } | { problems: string[] };

export function readPartnersFile(path: string, variables: Variables = process.env): PartnersResult {
  const source = `DEMAND_FILE ${path}`;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { problems: [`${source}: ${(error as Error).message}`] };
  }
  const parsed = parseFile(text);
  if ('problem' in parsed) return { problems: [`${source}: ${parsed.problem}`] };
  return readPartners(toWellFormed(parsed.content), source, variables); // texts of campaigns reach callers
}

/** Validates the parsed content; every problem starts with `source`. The value of a secret is never part of a problem. */
export function readPartners(content: unknown, source: string, variables: Variables = process.env): PartnersResult {
  const secrets = resolveSecrets(content, variables);
  const { value, error } = partnersFile.validate(secrets.content, { ...reportAllProblems, convert: false });
  const invalid = (error?.details ?? []).flatMap(({ path, message }) => {
    const variable = secrets.sources.get(path.join('.'));
    if (variable === undefined) return [message];
    return variables[variable] ? [`the value of the environment variable ${variable} is invalid`] : [];
  });
  const problems = [...secrets.problems, ...invalid];
  if (problems.length > 0) return { problems: problems.map((problem) => `${source}: ${problem}`) };
  return { partners: (value as { partners: PartnerSettings[] }).partners };
}
