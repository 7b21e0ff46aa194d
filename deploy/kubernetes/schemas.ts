/**
 * Writes strict JSON schemas for kubeconform, in which unknown properties are errors.
 * Usage: node schemas.ts <swagger.json of Kubernetes> <output folder> <CRD as YAML>…
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';

type Schema = { [member: string]: unknown; properties?: Record<string, Schema> };

const [swaggerFile, folder, ...crdFiles] = process.argv.slice(2) as [string, string, ...string[]];
const write = (name: string, schema: Schema) => writeFileSync(`${folder}/${name}.json`, JSON.stringify(schema));
const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/** Closes objects, drops formats that JSON Schema does not have, and points references to the file of all definitions. */
function tighten(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tighten);
  if (typeof node !== 'object' || node === null) return node;
  const { format, $ref, ...rest } = node as Schema & { format?: string; $ref?: string };
  if (format === 'int-or-string') return { type: ['string', 'integer'] };
  const tight: Schema = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, tighten(value)]));
  // If the value is an object, "format" or "$ref" is the name of a property, not a keyword.
  if (typeof format === 'object') tight.format = tighten(format);
  if (typeof $ref === 'object') tight.$ref = tighten($ref);
  if (typeof $ref === 'string') tight.$ref = `_definitions.json${$ref}`;
  const isOpen = 'additionalProperties' in tight || tight['x-kubernetes-preserve-unknown-fields'] === true;
  if (tight.type === 'object' && tight.properties && !isOpen) tight.additionalProperties = false;
  return tight;
}

mkdirSync(folder, { recursive: true });
const { definitions: loose } = JSON.parse(readFileSync(swaggerFile, 'utf8')) as { definitions: Record<string, Schema> };
const definitions = tighten(loose) as Record<string, Schema>;
definitions[quantity] = { type: ['string', 'number'] };
write('_definitions', { definitions });
for (const [name, schema] of Object.entries(definitions)) {
  const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as { group: string; version: string; kind: string }[];
  // Schemas of several kinds are options of API calls, which manifests do not contain.
  const [first, ...others] = kinds;
  if (!first || others.length > 0) continue;
  const { group, version, kind } = first;
  const file = [kind.toLowerCase(), group.split('.')[0], version].filter(Boolean).join('-');
  write(file, { allOf: [{ $ref: `_definitions.json#/definitions/${name}` }], required: ['apiVersion', 'kind'] });
}

interface Crd {
  spec: {
    group: string;
    names: { singular: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
}

for (const file of crdFiles) {
  const { spec } = load(readFileSync(file, 'utf8')) as Crd;
  for (const { name, schema } of spec.versions) {
    const tight = tighten(schema.openAPIV3Schema) as Schema;
    tight.properties!.metadata = {
      $ref: '_definitions.json#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    };
    write(`${spec.names.singular}-${spec.group.split('.')[0]}-${name}`, tight);
  }
}
