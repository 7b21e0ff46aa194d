/** Bid requests with one thing wrong, each with the error that it must get. */
import type { Body } from './bid-request.ts';
import type { Draw } from './draw.ts';
import { json, type Sending } from './sending.ts';

interface Fault {
  code: string;
  field?: string;
  /** Takes a valid body and makes it wrong. */
  spoil: (body: Body) => object | string;
  headers?: Record<string, string>;
}

const inFirst = (body: Body, change: object): object => ({ ...body, imp: [{ ...body.imp[0], ...change }] });

const faults: Fault[] = [
  { code: 'INVALID_REQUEST', spoil: (body) => `${JSON.stringify(body).slice(0, -1)},}` },
  { code: 'UNSUPPORTED_FORMAT', spoil: (body) => body, headers: { 'Content-Type': 'text/plain' } },
  { code: 'MISSING_REQUIRED_FIELD', field: 'id', spoil: (body) => ({ ...body, id: undefined }) },
  { code: 'INVALID_FIELD_VALUE', field: 'id', spoil: (body) => ({ ...body, id: 'with a space' }) },
  { code: 'MISSING_REQUIRED_FIELD', field: 'imp', spoil: (body) => ({ ...body, imp: undefined }) },
  { code: 'INVALID_FIELD_VALUE', field: 'imp', spoil: (body) => ({ ...body, imp: [] }) },
  { code: 'MISSING_REQUIRED_FIELD', field: 'imp[0]', spoil: (body) => inFirst(body, { native: undefined }) },
  { code: 'INVALID_REQUEST', field: 'imp[0].native', spoil: (body) => inFirst(body, { native: { ver: '1.2' } }) },
  {
    code: 'INVALID_FIELD_VALUE',
    field: 'imp[0].native.request',
    spoil: (body) => inFirst(body, { native: { request: '{"native":{"ver":"1.2","assets":[]}}' } }),
  },
  { code: 'INVALID_FIELD_TYPE', field: 'imp[0].bidfloor', spoil: (body) => inFirst(body, { bidfloor: '0.50' }) },
  { code: 'INVALID_FIELD_VALUE', field: 'imp[0].bidfloor', spoil: (body) => inFirst(body, { bidfloor: -1 }) },
  { code: 'INVALID_FIELD_VALUE', field: 'tmax', spoil: (body) => ({ ...body, tmax: 50 }) },
  {
    code: 'INVALID_REQUEST',
    field: 'imp[1].id',
    spoil: (body) => ({ ...body, imp: [body.imp[0], body.imp[0]] }),
  },
  {
    code: 'INVALID_REQUEST',
    spoil: (body) => ({ ...body, site: { domain: 'news.example' }, app: { bundle: 'com.news.app' } }),
  },
  {
    code: 'MISSING_REQUIRED_FIELD',
    field: 'ext.service.messageLength',
    spoil: (body) => ({
      ...body,
      ext: { service: { messageSequenceNumber: 1, isQuickReply: false, sessionDurationMs: 0 } },
    }),
  },
];

export function drawInvalid(draw: Draw, body: Body): Sending {
  const { code, field, spoil, headers } = draw.from(faults);
  const spoiled = spoil(body);
  return {
    traffic: 'invalid',
    method: 'POST',
    path: '/openrtb2',
    headers: headers ?? json,
    body: typeof spoiled === 'string' ? spoiled : JSON.stringify(spoiled),
    expected: { kind: 'error', status: 400, code, field },
  };
}
