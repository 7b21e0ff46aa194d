/** Reads an OpenAPI 3.1 document into operations, fields with their bounds, statuses and errors. */
import { asArray, asNumber, asObject, asString, type JsonObject } from '../../json/read-values.ts';
import { type Field, listFields } from './list-fields.ts';
import { resolveReference as resolve } from './resolve-reference.ts';

export interface Reference {
  title: string;
  version: string;
  operations: Operation[];
}

export interface Operation {
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Field[];
  fields: Field[];
  /** Rules of the request body that JSON Schema cannot express. */
  rules: Rule[];
  responses: ResponseDescription[];
  errors: ErrorExample[];
}

export interface Rule {
  description: string;
  status: string;
  code: string;
}

export interface ResponseDescription {
  status: string;
  description: string;
  headers: string[];
  fields: Field[];
}

export interface ErrorExample {
  status: string;
  code: string;
  message: string;
  field: string;
  reason: string;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export function readOpenApi(document: unknown): Reference {
  const root = asObject(document);
  const info = asObject(root.info);
  const operations = Object.entries(asObject(root.paths)).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = asObject(item)[method];
      return operation === undefined ? [] : [readOperation(root, method, path, asObject(operation))];
    }),
  );
  return { title: asString(info.title), version: asString(info.version), operations };
}

function readOperation(root: JsonObject, method: string, path: string, operation: JsonObject): Operation {
  const responses = Object.entries(asObject(operation.responses)).map(([status, response]): [string, JsonObject] => [
    status,
    resolve(root, response),
  ]);
  return {
    method: method.toUpperCase(),
    path,
    summary: asString(operation.summary),
    description: asString(operation.description),
    parameters: asArray(operation.parameters).map((parameter) => readParameter(root, resolve(root, parameter))),
    fields: fieldsOf(root, resolve(root, operation.requestBody)),
    rules: readRules(root, resolve(root, operation.requestBody)),
    responses: responses.map(([status, response]) => ({
      status,
      description: asString(response.description),
      headers: Object.keys(asObject(response.headers)),
      fields: fieldsOf(root, response),
    })),
    errors: responses.flatMap(([status, response]) => readErrors(root, status, response)),
  };
}

function readParameter(root: JsonObject, { name, schema, required, description }: JsonObject): Field {
  const [field] = listFields(root, { properties: { [asString(name)]: schema }, required: required ? [name] : [] });
  return { ...field!, description: asString(description) || field!.description };
}

const jsonOf = (root: JsonObject, { content }: JsonObject) =>
  resolve(root, Object.entries(asObject(content)).find(([type]) => type.includes('json'))?.[1]);

const fieldsOf = (root: JsonObject, body: JsonObject) => listFields(root, jsonOf(root, body).schema);

function readRules(root: JsonObject, body: JsonObject): Rule[] {
  const schema = resolve(root, jsonOf(root, body).schema);
  return asArray(schema['x-rules-beyond-schema']).map((rule) => {
    const { description, status, code } = asObject(rule);
    return { description: asString(description), status: String(asNumber(status) ?? ''), code: asString(code) };
  });
}

function readErrors(root: JsonObject, status: string, response: JsonObject): ErrorExample[] {
  const { examples, example } = jsonOf(root, response);
  const values = Object.values(asObject(examples)).map((one) => resolve(root, one).value);
  return [...values, example].flatMap((value) => {
    const { code, message, details } = asObject(asObject(value).error);
    if (typeof code !== 'string') return [];
    const { field, reason } = asObject(details);
    return [{ status, code, message: asString(message), field: asString(field), reason: asString(reason) }];
  });
}
