/** The attacks that SIEGE selects. */
import { attacks } from './attack-list.ts';
import { isEach } from './settings.ts';

const setting = process.env.SIEGE ?? '';
const allNames = attacks.map(({ name }) => name);

export const selectedNames = select();

function select(): string[] {
  if (isEach) return allNames;
  if (setting === '') return attacks.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  const names = setting.split(',');
  if (names.every((name) => allNames.includes(name))) return names;
  process.stderr.write(`SIEGE must be "each" or names of attacks (${allNames.join(', ')}); got ${setting}\n`);
  process.exit(2);
}
