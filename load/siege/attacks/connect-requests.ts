/** CONNECT and upgrade requests, which node:http hands over outside the request handler. */
import { type Attack, sendAtAllowedRate } from '../attack.ts';
import { head } from '../traffic/http-request.ts';

const requests = [
  head('CONNECT exchange.test:443 HTTP/1.1', ['Host: exchange.test:443']),
  head('CONNECT 127.0.0.1:6379 HTTP/1.1', ['Host: 127.0.0.1:6379', 'Proxy-Connection: keep-alive']),
  head('CONNECT /openrtb2 HTTP/1.1', ['Host: exchange.test', 'Content-Length: 100000']),
  head('CONNECT exchange.test:443 HTTP/1.0', []),
  head('GET /openrtb2 HTTP/1.1', ['Host: exchange.test', 'Connection: Upgrade', 'Upgrade: websocket']),
  head('GET /openrtb2 HTTP/1.1', ['Host: exchange.test', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c']),
];

export const connectRequests: Attack = {
  name: 'connect-requests',
  title: 'CONNECT and upgrade requests',
  addresses: 1,
  start: (context) => sendAtAllowedRate(context, (index) => requests[index % requests.length]!),
};
