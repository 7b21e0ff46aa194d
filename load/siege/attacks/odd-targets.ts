/** Request targets that URL parsers and routers reject or read in different ways. */
import { type Attack, sendAtAllowedRate } from '../attack.ts';
import { head } from '../traffic/http-request.ts';

const targets = [
  'http://%@x/openrtb2',
  'a://%%@$',
  'http://[::1/openrtb2',
  'http://x:99999999/openrtb2',
  '//%E0%A4%A/openrtb2',
  '/%',
  '/openrtb2/%E0%A4%A',
  `/${'%2e%2e/'.repeat(1_500)}`,
  `/openrtb2?${'a=%&'.repeat(2_000)}`,
  `/${'/'.repeat(10_000)}`,
  `http://${'a.'.repeat(4_000)}/`,
  '*',
];
const methods = ['GET', 'POST', 'OPTIONS', 'DELETE', 'PROPFIND', 'M-SEARCH'];

export const oddTargets: Attack = {
  name: 'odd-targets',
  title: 'targets such as http://%@x/openrtb2',
  addresses: 1,
  start: (context) =>
    sendAtAllowedRate(context, (index) =>
      head(`${methods[index % methods.length]} ${targets[index % targets.length]} HTTP/1.1`, ['Host: exchange.test']),
    ),
};
