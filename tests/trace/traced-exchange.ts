/** An exchange with one scripted partner on real sockets: what the partner receives of a caller's trace, and what is logged. */
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRunAuction } from '../../src/auction/run-auction.ts';
import { createPartners } from '../../src/demand/create-partners.ts';
import { createHandleBidRequest } from '../../src/exchange/handle-bid-request.ts';
import { createRequestObserver, type RequestFacts } from '../../src/http/request-observer.ts';
import { exchangeEnvironment, partnerEnvironment } from '../support/partner-environment.ts';
import { titleRequest } from '../support/auction-exchange.ts';
import { bids, startPartner } from '../support/scripted-partner.ts';
import { createTestExchange } from '../support/test-exchange.ts';

export interface TracedExchange {
  /** Posts a bid request. */
  send(headers: OutgoingHttpHeaders, regs?: object): Promise<Received>;
  close(): void;
}

export interface Received {
  status: number;
  /** The trace headers of the partner call. */
  passedOn: Record<string, string>;
  facts: RequestFacts;
}

const silent = {
  stage: () => {},
  queueDelay: () => {},
  request: () => {},
  limitDecision: () => {},
  error: () => {},
  shed: () => {},
  responseCut: () => {},
};

export async function startTracedExchange(): Promise<TracedExchange> {
  const partner = await startPartner(bids(1));
  const partners = createPartners(
    [{ name: 'a', adapter: 'openrtb', endpoint: partner.url, test: false } as never],
    partnerEnvironment,
  );
  const nowMs = () => performance.now();
  const logged: RequestFacts[] = [];
  const { server } = createTestExchange(
    {},
    {
      handleBidRequest: createHandleBidRequest({
        ...exchangeEnvironment,
        runAuction: createRunAuction(partners, nowMs, { partner: () => {}, bid: () => {} }),
        defaultAuctionType: 1,
        budgets: { timeoutMs: 5_000, softTimeoutMs: 5_000 },
      }),
      observer: createRequestObserver({
        recorder: silent,
        requestLog: {
          admit: () => 0,
          write: (_request, _response, facts) => logged.push(facts),
          writeRejected: (facts) => logged.push(facts),
        },
        nowMs,
      }),
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openrtb2`;
  return {
    send: async (headers, regs) => {
      const status = await post(url, headers, regs);
      const { traceparent, tracestate } = partner.calls.at(-1)!.headers as Record<string, string>;
      const passedOn = {
        ...(traceparent !== undefined && { traceparent }),
        ...(tracestate !== undefined && { tracestate }),
      };
      return { status, passedOn, facts: logged.at(-1)! };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
      partner.close();
    },
  };
}

async function post(url: string, headers: OutgoingHttpHeaders, regs?: object): Promise<number> {
  const call = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
  call.end(JSON.stringify({ ...titleRequest(), regs }));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode!;
}
