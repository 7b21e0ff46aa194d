/** docs/postman.json: a collection of format 2.1 whose requests are those of the description of the API. */
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Collection } from '../../docs/generate/openapi/postman-collection.ts';
import { httpErrors } from '../../src/http/http-errors.ts';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';

const collection = JSON.parse(readFileSync(new URL('../../docs/postman.json', import.meta.url), 'utf8')) as Collection;

const nonEmpty = { type: 'string', minLength: 1 };
const pairs = {
  type: 'array',
  items: { type: 'object', required: ['key', 'value'], properties: { key: nonEmpty, value: { type: 'string' } } },
};

/** The part of Postman's schema of format 2.1 that a generated collection uses; no other members. */
const request = {
  type: 'object',
  required: ['method', 'header', 'url'],
  additionalProperties: false,
  properties: {
    method: nonEmpty,
    header: pairs,
    description: { type: 'string' },
    url: {
      type: 'object',
      required: ['raw', 'host', 'path'],
      additionalProperties: false,
      properties: {
        raw: nonEmpty,
        host: { type: 'array', items: nonEmpty, minItems: 1 },
        path: { type: 'array', items: { type: 'string' } },
      },
    },
    body: {
      type: 'object',
      required: ['mode', 'raw'],
      properties: { mode: { const: 'raw' }, raw: { type: 'string' }, options: { type: 'object' } },
    },
  },
};

const response = {
  type: 'object',
  required: ['name', 'originalRequest', 'code', 'body'],
  properties: {
    name: nonEmpty,
    originalRequest: request,
    status: nonEmpty,
    code: { type: 'integer', minimum: 200, maximum: 599 },
    header: pairs,
    body: { type: 'string' },
  },
};

const item = {
  type: 'object',
  required: ['name', 'request', 'response'],
  additionalProperties: false,
  properties: { name: nonEmpty, request, response: { type: 'array', items: response } },
};

const format = {
  type: 'object',
  required: ['info', 'item'],
  additionalProperties: false,
  properties: {
    info: {
      type: 'object',
      required: ['name', 'schema'],
      properties: {
        name: nonEmpty,
        schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      },
    },
    variable: pairs,
    item: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'item'],
        properties: { name: nonEmpty, item: { type: 'array', items: item, minItems: 1 } },
      },
    },
  },
};

test('the collection has the shape of format 2.1', () => {
  const ajv = new Ajv2020();
  ajv.validate(format, collection);
  expect(ajv.errors ?? []).toEqual([]);
});

test('every variable of a URL is defined', () => {
  const names = new Set(collection.variable.map(({ key }) => key));
  const used = [...JSON.stringify(collection.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
  expect(new Set(used)).toEqual(names);
});

describe('requests', () => {
  const itemsOf = (folder: string) => collection.item.find(({ name }) => name === folder)!.item;

  test.each(itemsOf('Bid requests').map((one) => [one.name, one] as const))('%s is valid', (_name, { request }) => {
    expect(validateBidRequest(JSON.parse(request.body!.raw))).toMatchObject({ valid: true });
  });

  test('the request without a content type has none, and Postman adds no application/json', () => {
    const { request } = itemsOf('Errors').find(({ name }) => name === '400: missing content type is rejected')!;
    expect(request.header).toEqual([]);
    expect(request.body!.options).toEqual({ raw: { language: 'text' } });
  });

  test('no request has a header twice', () => {
    const names = itemsOf('Errors').map(({ request }) => request.header.map(({ key }) => key.toLowerCase()));
    expect(names.filter((one) => new Set(one).size < one.length)).toEqual([]);
  });

  /** Those that are rejected because of a field. */
  const invalid = itemsOf('Errors').filter(({ response: [saved] }) => saved!.code === 400 && !isHttpError(saved!.body));

  test('there are invalid requests', () => expect(invalid.length).toBeGreaterThan(20));

  test.each(invalid.map((one) => [one.name, one] as const))('%s gets the saved error', (_name, one) => {
    const saved = JSON.parse(one.response[0]!.body) as SavedError;
    const { code, details } = saved.error;
    expect(validateBidRequest(JSON.parse(one.request.body!.raw))).toMatchObject({
      valid: false,
      error: { code, reason: details.reason },
    });
  });
});

interface SavedError {
  error: { code: string; message: string; details: { reason: string } };
}

function isHttpError(body: string): boolean {
  const { reason } = (JSON.parse(body) as SavedError).error.details;
  return Object.values(httpErrors).some((row) => reason.startsWith(row.reason));
}
