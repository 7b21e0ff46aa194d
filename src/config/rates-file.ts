/** Reads and validates the rates file (RATES_FILE), which has the format of Prebid's currency file. */
import { readFileSync, statSync } from 'node:fs';
import Joi from 'joi';
import type { RatesTable } from '../money/rates.ts';
import { describeProblems, reportAllProblems } from './config-error.ts';
import { parseFile } from './parse-file.ts';

interface RatesFile {
  dataAsOf?: string;
  /** Units of the inner currency per unit of the outer one. */
  conversions: Record<string, Record<string, number>>;
}

/** Prebid's own file has 4 KiB. */
const maxBytes = 1024 * 1024;
/** All real rates are far within these bounds; their inverse is finite. */
const rate = Joi.number().min(1e-9).max(1e9);
const currency = Joi.string().pattern(/^[A-Za-z]{3}$/);

const date: Joi.CustomValidator<string> = (value, helpers) =>
  Number.isFinite(Date.parse(value)) ? value : helpers.error('dataAsOf');

const ratesFile = Joi.object<RatesFile>({
  dataAsOf: Joi.string()
    .custom(date)
    .messages({ dataAsOf: '{#label} must be a date such as 2026-01-31 or 2026-01-31T12:00:00.000Z' }),
  conversions: Joi.object()
    .pattern(currency, Joi.object().pattern(currency, rate))
    .messages({ 'object.unknown': '{#label} is not a currency code of three letters' })
    .required(),
})
  .unknown()
  .required();

export type RatesResult = { table: RatesTable } | { problems: string[] };

export function readRatesFile(path: string): RatesResult {
  const source = `RATES_FILE ${path}`;
  try {
    const { size, mtimeMs } = statSync(path);
    if (size > maxBytes) return { problems: [`${source}: must have at most ${maxBytes} bytes; got ${size}`] };
    return readRates(readFileSync(path, 'utf8'), source, mtimeMs);
  } catch (error) {
    return { problems: [`${source}: ${(error as Error).message}`] };
  }
}

/** Every problem starts with `source`; `modifiedAtMs` dates rates without `dataAsOf`. */
function readRates(text: string, source: string, modifiedAtMs: number): RatesResult {
  const parsed = parseFile(text);
  if ('problem' in parsed) return { problems: [`${source}: ${parsed.problem}`] };
  const { value, error } = ratesFile.validate(parsed.content, { ...reportAllProblems, convert: false });
  if (error) return { problems: describeProblems(error).map((problem) => `${source}: ${problem}`) };
  const { dataAsOf, conversions } = value;
  const asOfMs = dataAsOf === undefined ? modifiedAtMs : Date.parse(dataAsOf);
  return { table: { dollarsPer: dollarsPerUnit(conversions), asOfMs } };
}

/** The rate to the dollar; without one, the inverse of the rate from the dollar. */
function dollarsPerUnit(conversions: RatesFile['conversions']): Record<string, number> {
  const dollarsPer = new Map<string, number>();
  for (const [from, rates] of Object.entries(conversions)) {
    if (from.toUpperCase() !== 'USD') continue;
    for (const [to, unitsPerDollar] of Object.entries(rates)) dollarsPer.set(to.toUpperCase(), 1 / unitsPerDollar);
  }
  for (const [from, rates] of Object.entries(conversions)) {
    for (const [to, perUnit] of Object.entries(rates)) {
      if (to.toUpperCase() === 'USD') dollarsPer.set(from.toUpperCase(), perUnit);
    }
  }
  dollarsPer.delete('USD');
  return Object.fromEntries(dollarsPer);
}
