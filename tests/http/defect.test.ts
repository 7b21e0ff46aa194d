/** A defect before anything is known of a request is answered like any other: 500, with an id, and told once. */
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../src/http/app.ts';
import { expectErrorBody } from '../support/error-body.ts';

test('an exception while the client is made out', async () => {
  const defect = new Error('a defect');
  const told: unknown[] = [];
  const app = createApp({
    limiter: {
      cachedRejection: () => {
        throw defect;
      },
      decide: () => Promise.reject(defect),
    },
    handleBidRequest: () => {},
    trustProxy: 'loopback',
    reading: { maxBytes: 1_000, timeoutMs: 1_000 },
    load: { handling: 1, perAddress: 1 },
    observer: {
      admitted: () => {},
      concluded: (_request, _response, { thrown }) => told.push(thrown),
      rejected: () => {},
    },
    isDraining: () => false,
  });
  const { status, headers, body } = await supertest(app).post('/openrtb2').send({});
  expect(status).toBe(500);
  expectErrorBody(body, headers['x-request-id']);
  expect(body).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
  expect(told).toEqual([defect]);
});
