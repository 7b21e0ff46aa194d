/** Renders the tables of docs/privacy.md from the lists that redaction applies. */
import { type Redaction, redactedFields, redactionLevels } from '../../src/privacy/redacted-fields.ts';
import { type Signal, signals } from '../../src/privacy/signals.ts';

/** Most restrictive first. */
const levels = redactionLevels.filter((level) => level !== 'none').toReversed();
const all: readonly Signal[] = Object.values(signals);
const namesOf = (level: Redaction): string =>
  all.flatMap(({ name, redaction }) => (redaction === level ? [name] : [])).join(', ');

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Signal by signal: where it is, and the level that it requires. */
export function privacySignalsTable(): string {
  const rows = all.map(({ name, fields, redaction }) => [
    name,
    fields.map((field) => `\`${field}\``).join(', '),
    `\`${redaction}\``,
  ]);
  return table(['signal', 'fields', 'level'], rows);
}

/** Field by field: what each group of signals does to it. */
export function privacyFieldsTable(): string {
  const rows = redactedFields.map(({ path, isAnywhere, changes }) => [
    `\`${path}\`${isAnywhere ? ', wherever they stand' : ''}`,
    ...levels.map((level) => changes[level]?.description ?? 'kept'),
  ]);
  return table(['field', ...levels.map((level) => `\`${level}\`: ${namesOf(level)}`)], rows);
}
