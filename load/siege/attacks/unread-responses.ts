/** Clients that pipeline requests with large responses and never read one. */
import { type Attack, holdConnections, once } from '../attack.ts';
import { bidRequest, impression, nativeRequest, site } from '../traffic/bid-request.ts';
import { post } from '../traffic/http-request.ts';

/** 4 MB of requests on all connections together, as many per address as its bucket admits. */
const connections = 60;
const requestsPerConnection = 100;

/** The product texts of the siege's product partner fill these assets. */
const native = nativeRequest(Array.from({ length: 20 }, (_, id) => ({ id, data: { type: 2 } })));

const pipeline = once(() =>
  Buffer.concat(
    Array.from({ length: requestsPerConnection }, (_, index) =>
      post(
        JSON.stringify({
          ...bidRequest(`unread-${index % 10}`, { imp: [impression(native)] }),
          site: site(`unread-${index % 10}`, { keywords: 'brochure' }),
        }),
      ),
    ),
  ),
);

export const unreadResponses: Attack = {
  name: 'unread-responses',
  title: '60 connections, each with 100 pipelined requests and no read',
  addresses: connections,
  start(context) {
    const bytes = pipeline();
    holdConnections(context, {
      perAddress: 1,
      rampMs: 5_000,
      reopenMs: 5_000,
      onOpen: (socket) => socket.pause().write(bytes),
    });
  },
};
