/** Splits the field path of an error, such as `imp[0].native.request`, into keys and indexes. */

export type FieldPath = (string | number)[];

export function parseFieldPath(field: string): FieldPath {
  const steps = field.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  return steps.map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step));
}
