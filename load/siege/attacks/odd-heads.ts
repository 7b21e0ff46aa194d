/** Heads that HTTP forbids or that are as large as the parser takes. */
import { type Attack, once, sendAtAllowedRate } from '../attack.ts';
import { ordinaryBody } from '../traffic/bid-request.ts';
import { head, post } from '../traffic/http-request.ts';

const line = 'POST /openrtb2 HTTP/1.1';
const manyHeaders = Array.from({ length: 1_200 }, (_, index) => `X-${index}: 1`);

const requests = once(() => {
  const body = ordinaryBody(3);
  return [
    post(body, ['Host: other.test']),
    post(body, ['Expect: foo']),
    post(body, [`X-Filler: ${'x'.repeat(15_000)}`]),
    post(body, manyHeaders),
    post(body, [`X-Filler: ${'x'.repeat(20_000)}`]),
    post(body, ['Transfer-Encoding: chunked']),
    post(body, ['Content-Length: 7']),
    post(body, [`Content-Type: application/json;${' charset=utf-8;'.repeat(900)}`]),
    post(body, [`Accept-Encoding: ${'gzip;q=0.1,'.repeat(1_200)}`]),
    head('POST /openrtb2 HTTP/2.0', ['Host: exchange.test']),
    head('GET /openrtb2 HTTP/0.9', []),
    head('PRI * HTTP/2.0', []),
    head(line, ['Host: exchange.test', ' folded: header']),
    head(line, ['Host: exchange.test', 'Null: \0']),
    head(`POST ${'/'.repeat(15_000)} HTTP/1.1`, ['Host: exchange.test']),
  ];
});

export const oddHeads: Attack = {
  name: 'odd-heads',
  title: 'two Host headers, other versions and expectations, heads of 16 KiB',
  addresses: 1,
  start(context) {
    const prepared = requests();
    sendAtAllowedRate(context, (index) => prepared[index % prepared.length]!);
  },
};
