/** Clients that pipeline requests with large responses and never read one. */
import { type Attack, holdConnections, once } from '../attack.ts';
import { ratePerAddress } from '../settings.ts';
import { impId, site } from '../traffic/bid-request.ts';
import { post } from '../traffic/http-request.ts';

const connections = 60;

/** As short as a valid request can be: a connection's requests arrive together and are all in progress at once. */
const request = (assets: number): Buffer => {
  const native = { assets: Array.from({ length: assets }, (_, id) => ({ id, data: { type: 2 } })) };
  const { domain } = site('');
  return post(
    JSON.stringify({
      id: 'unread',
      imp: [{ id: impId, native: { request: JSON.stringify(native) } }],
      site: { domain, keywords: 'brochure' },
    }),
  );
};

const repeated = (bytes: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => bytes));

/**
 * As many requests as a bucket admits and a server reads at once, 64 KiB: half a request would run into a timeout.
 * In every fourth pipeline more, with larger responses.
 */
const pipelines = once(() => {
  const usual = repeated(request(9), 95);
  return [usual, usual, usual, repeated(request(30), 300)];
});
const requestsPerConnection = (3 * 95 + 300) / 4;

export const unreadResponses: Attack = {
  name: 'unread-responses',
  title: '60 connections with 95 to 300 pipelined requests each, 8 MB in total, and no read',
  addresses: connections,
  start(context) {
    const prepared = pipelines();
    holdConnections(context, {
      perAddress: 1,
      perSecond: ratePerAddress / requestsPerConnection,
      reopenMs: 60_000,
      onOpen: (socket, index) => socket.pause().write(prepared[index % prepared.length]!),
    });
  },
};
