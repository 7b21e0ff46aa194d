/** Bid requests with exactly one fault, each with the error that it must get. */
import type { Body } from './bid-request.ts';
import { jsonHeaders, type LoadRequest } from './load-request.ts';
import type { Random } from './random.ts';

interface Fault {
  code: string;
  field?: string;
  /** Turns a valid body into an invalid one. */
  apply: (body: Body) => object | string;
  headers?: Record<string, string>;
}

const changeFirstImp = (body: Body, change: object): object => ({ ...body, imp: [{ ...body.imp[0], ...change }] });

const faults: Fault[] = [
  { code: 'INVALID_REQUEST', apply: (body) => `${JSON.stringify(body).slice(0, -1)},}` },
  { code: 'UNSUPPORTED_FORMAT', apply: (body) => body, headers: { 'Content-Type': 'text/plain' } },
  { code: 'MISSING_REQUIRED_FIELD', field: 'id', apply: (body) => ({ ...body, id: undefined }) },
  { code: 'INVALID_FIELD_VALUE', field: 'id', apply: (body) => ({ ...body, id: 'with a space' }) },
  { code: 'MISSING_REQUIRED_FIELD', field: 'imp', apply: (body) => ({ ...body, imp: undefined }) },
  { code: 'INVALID_FIELD_VALUE', field: 'imp', apply: (body) => ({ ...body, imp: [] }) },
  { code: 'MISSING_REQUIRED_FIELD', field: 'imp[0]', apply: (body) => changeFirstImp(body, { native: undefined }) },
  {
    code: 'INVALID_REQUEST',
    field: 'imp[0].native',
    apply: (body) => changeFirstImp(body, { native: { ver: '1.2' } }),
  },
  {
    code: 'INVALID_FIELD_VALUE',
    field: 'imp[0].native.request',
    apply: (body) => changeFirstImp(body, { native: { request: '{"native":{"ver":"1.2","assets":[]}}' } }),
  },
  { code: 'INVALID_FIELD_TYPE', field: 'imp[0].bidfloor', apply: (body) => changeFirstImp(body, { bidfloor: '0.50' }) },
  { code: 'INVALID_FIELD_VALUE', field: 'imp[0].bidfloor', apply: (body) => changeFirstImp(body, { bidfloor: -1 }) },
  { code: 'INVALID_FIELD_VALUE', field: 'tmax', apply: (body) => ({ ...body, tmax: 50 }) },
  {
    code: 'INVALID_REQUEST',
    field: 'imp[1].id',
    apply: (body) => ({ ...body, imp: [body.imp[0], body.imp[0]] }),
  },
  {
    code: 'INVALID_REQUEST',
    apply: (body) => ({ ...body, site: { domain: 'news.example' }, app: { bundle: 'com.news.app' } }),
  },
  {
    code: 'MISSING_REQUIRED_FIELD',
    field: 'ext.service.messageLength',
    apply: (body) => ({
      ...body,
      ext: { service: { messageSequenceNumber: 1, isQuickReply: false, sessionDurationMs: 0 } },
    }),
  },
];

export function randomInvalidRequest(random: Random, body: Body): LoadRequest {
  const { code, field, apply, headers } = random.pick(faults);
  const invalid = apply(body);
  return {
    traffic: 'invalid',
    method: 'POST',
    path: '/openrtb2',
    headers: headers ?? jsonHeaders,
    body: typeof invalid === 'string' ? invalid : JSON.stringify(invalid),
    expected: { kind: 'error', status: 400, code, field },
  };
}
