/** The body of a partner's response: compressed or not, within its bounds. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { decodeResponse, maxResponseBytes } from '../../src/demand/decode-response.ts';

/** Base64 shrinks to three quarters. */
const body = (characters: number) =>
  Buffer.from(JSON.stringify({ id: randomBytes(characters).toString('base64').slice(0, characters) }));

test('a compressed body may have 200 KiB before decompression', () => {
  expect(decodeResponse(gzipSync(body(250_000)), true, maxResponseBytes)).toMatchObject({ result: 'bid' });
  expect(decodeResponse(gzipSync(body(300_000)), true, maxResponseBytes)).toMatchObject({ result: 'invalid' });
  expect(decodeResponse(body(400_000), false, maxResponseBytes)).toMatchObject({ result: 'bid' });
});

test('a compressed body has the same limit after decompression', () => {
  expect(decodeResponse(gzipSync(JSON.stringify('x'.repeat(9_998))), true, 10_000)).toMatchObject({ result: 'bid' });
  expect(decodeResponse(gzipSync(JSON.stringify('x'.repeat(9_999))), true, 10_000)).toMatchObject({
    result: 'invalid',
  });
});

test('the strings of a body are well-formed', () => {
  const text = String.raw`{"id":"\ud83d\ude00","seatbid":[{"bid":[{"crid":"\uD800","ext":{"\udfff":1}}]}]}`;
  const bid = { crid: '\ufffd', ext: { '\ufffd': 1 } };
  const expected = { result: 'bid', body: { id: '😀', seatbid: [{ bid: [bid] }] } };
  expect(decodeResponse(Buffer.from(text), false, maxResponseBytes)).toMatchObject(expected);
  expect(decodeResponse(gzipSync(text), true, maxResponseBytes)).toMatchObject(expected);
});
