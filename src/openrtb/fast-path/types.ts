/** The types of Joi that the compiled check knows, without conversion. */

/** Code that returns false unless `name` holds the type; undefined for what is not known. `unsafe`, `allow` as in the schema. */
export function typeCode(type: string, unsafe: boolean, allow: readonly unknown[], name: string): string | undefined {
  if (type === 'string') {
    if (allow.length === 0) return `if (typeof ${name} !== 'string' || ${name} === '') return false;`;
    return allow.length === 1 && allow[0] === '' ? `if (typeof ${name} !== 'string') return false;` : undefined;
  }
  if (allow.length > 0 || (type === 'number' && !unsafe)) return undefined;
  return others[type]?.(name);
}

const others: Record<string, (name: string) => string> = {
  /** Joi makes 0 of -0; here it stays, since both are written and compared alike. */
  number: (name) => `if (!Number.isFinite(${name})) return false;`,
  boolean: (name) => `if (typeof ${name} !== 'boolean') return false;`,
  array: (name) => `if (!Array.isArray(${name})) return false;`,
  object: (name) => `if (typeof ${name} !== 'object' || ${name} === null || Array.isArray(${name})) return false;`,
};
