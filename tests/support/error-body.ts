/** Checks the shape that every error body has. */
import { expect } from '@jest/globals';
import { errorTable } from '../../src/http/http-errors.ts';

const codes = new Set<string>(Object.values(errorTable).map(({ code }) => code));

interface ErrorDetails {
  field?: string;
  reason: string;
  /** In test mode only. */
  errors?: { code: string; field?: string; reason: string }[];
}

export interface ErrorBody {
  error: { code: string; message: string; details: ErrorDetails; request_id: string };
}

export function expectErrorBody(body: unknown, requestId: string | undefined): asserts body is ErrorBody {
  const { error } = body as ErrorBody;
  expect(Object.keys(body as ErrorBody)).toEqual(['error']);
  expect(Object.keys(error).sort()).toEqual(['code', 'details', 'message', 'request_id']);
  expect(Object.keys(error.details).filter((member) => !['field', 'errors'].includes(member))).toEqual(['reason']);
  expect(codes).toContain(error.code);
  expect(error.message).toMatch(/./);
  expect(error.details.reason).toMatch(/./);
  if ('field' in error.details) expect(error.details.field).toMatch(/./);
  expect(error.request_id).toBe(requestId);
}
