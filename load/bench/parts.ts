/** What do the replaced parts of the packages save? Each one against the package's own way, in one process, round by round. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { GppModel } from '@iabgpp/cmpapi';
import express from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { Counter, Histogram, Registry } from 'prom-client';
import proxyAddr from 'proxy-addr';
import { parse as secureParse } from 'secure-json-parse';
import { Cancellation } from '../../src/demand/cancellation.ts';
import { createReadAddress } from '../../src/http/client-address.ts';
import { withExpressPrototypes } from '../../src/http/express-prototypes.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { rawJsonString } from '../../src/json/raw-json.ts';
import { FastCounter, FastHistogram } from '../../src/observe/fast-metrics.ts';
import { buildNativeResponse } from '../../src/openrtb/build-native-response.ts';
import { decodeNativeRequest } from '../../src/openrtb/decode-native-request.ts';
import type { BidRequest } from '../../src/openrtb/bid-request.ts';
import type { DecodedNativeRequest, NativeRequestCache } from '../../src/openrtb/native-request.ts';
import { bidRequest } from '../../src/openrtb/schema/bid-request.ts';
import { joiPreferences } from '../../src/openrtb/schema/rules.ts';
import { validateBidRequest } from '../../src/openrtb/validate-bid-request.ts';
import { readGpp } from '../../src/privacy/read-gpp.ts';
import { table, writeResults } from '../results.ts';
import { chunkedBody } from './chunked-body-part.ts';
import { temporaryFolder } from './machine/start.ts';
import { median, ratio } from './statistics.ts';
import { writeRequests } from './traffic/requests.ts';

interface Part {
  name: string;
  packages: () => unknown;
  ours: () => unknown;
}

const rounds = 15;
const roundMs = 40;
const text = writeRequests(temporaryFolder()).sample;
const body = JSON.parse(text) as BidRequest;

/** Keeps the optimiser from removing what is measured. */
let sink: unknown;

/** Nanoseconds per call. */
function measure(run: () => unknown): number {
  let calls = 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < roundMs) {
    for (let i = 0; i < 100; i++) sink = run();
    calls += 100;
  }
  return ((performance.now() - startedAt) * 1_000_000) / calls;
}

const metrics = (): Part[] => {
  const register = new Registry();
  const options = { help: 'help', labelNames: ['outcome', 'mode'] };
  const buckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
  const histogram = new Histogram({ name: 'a', ...options, buckets, registers: [register] }).labels('bid', 'live');
  const counter = new Counter({ name: 'b', ...options, registers: [register] }).labels('bid', 'live');
  const fastHistogram = new FastHistogram({ name: 'c', ...options, buckets, register }).child('bid', 'live');
  const fastCounter = new FastCounter({ name: 'd', ...options, register }).child('bid', 'live');
  return [
    {
      name: 'one observation in a histogram',
      packages: () => histogram.observe(0.007),
      ours: () => fastHistogram.observe(0.007),
    },
    { name: 'one increment of a counter', packages: () => counter.inc(), ours: () => fastCounter.inc() },
  ];
};

const address = (): Part => {
  const isTrusted = proxyAddr.compile(['loopback']);
  const request = new IncomingMessage(new Socket());
  Object.defineProperty(request.socket, 'remoteAddress', { value: '127.0.0.1' });
  request.headers['x-forwarded-for'] = '2001:db8::17';
  return {
    name: 'client address of a request, IPv6 behind a proxy',
    packages: () => ipKeyGenerator(proxyAddr(request, isTrusted)),
    ours: (
      (read) => () =>
        read(request)
    )(createReadAddress(isTrusted)),
  };
};

/** Express sets both prototypes of every request; the server creates them with the right ones. */
const prototypes = (): Part => {
  const socket = new Socket();
  const [plain, prepared] = [express(), express()];
  const classes = withExpressPrototypes(prepared) as {
    IncomingMessage: typeof IncomingMessage;
    ServerResponse: typeof ServerResponse;
  };
  const use = (request: IncomingMessage, response: ServerResponse) => {
    request.url = '/openrtb2';
    response.statusCode = 200;
    return [request.url, request.headers, response.headersSent];
  };
  return {
    name: 'prototypes of a request and its response',
    packages: () => {
      const request = new IncomingMessage(socket);
      const response = new ServerResponse(request);
      Object.setPrototypeOf(request, plain.request);
      Object.setPrototypeOf(response, plain.response);
      return use(request, response);
    },
    ours: () => {
      const request = new classes.IncomingMessage(socket);
      return use(request, new classes.ServerResponse(request));
    },
  };
};

const parsing = (): Part => ({
  name: 'parsing a body without prototype keys',
  packages: () => secureParse(text, { protoAction: 'remove', constructorAction: 'remove' }),
  ours: () => parseJson(text),
});

const validation = (): Part => {
  const schema = bidRequest.prefs(joiPreferences);
  return {
    name: 'validating a valid request',
    packages: () => schema.validate(body, { context: { natives: new Map() } satisfies NativeRequestCache }),
    ours: () => validateBidRequest(body),
  };
};

const native = (): Part => {
  const request = body.imp[0]!.native.request;
  let number = 0;
  return {
    name: 'decoding a native request: every time, cached',
    packages: () => decodeNativeRequest(`${request}${' '.repeat(number++ % 2_000)}`),
    ours: () => decodeNativeRequest(request),
  };
};

/** No string occurs twice, so that no cache helps: segments after the second are ignored. */
const consent = (): Part => {
  let number = 0;
  const rotating = () => `BVVVVVVVVRA.YA.${number++}`;
  return {
    name: 'decoding a GPP string with the national US section',
    packages: () => {
      const model = new GppModel();
      model.decodeSection('usnat', rotating());
      return model.getSection('usnat');
    },
    ours: () => readGpp(`DBABLA~${rotating()}`),
  };
};

const markup = (): Part => {
  const decoded = decodeNativeRequest(body.imp[0]!.native.request) as DecodedNativeRequest;
  const creative = {
    landing: 'https://shoes.example/',
    title: 'Trail shoes',
    image: { url: 'https://shoes.example/1200x627.jpg', w: 1200, h: 627 },
    data: new Map([
      [1, 'Shoes'],
      [2, 'Light, dry and made to be repaired rather than replaced.'],
      [12, 'See the range'],
    ]),
  };
  const built = rawJsonString(buildNativeResponse(decoded, creative)!);
  const response = (adm: unknown) => JSON.stringify({ id: '1', seatbid: [{ seat: 'a', bid: [{ id: '1', adm }] }] });
  return {
    name: 'markup of a direct campaign: built and escaped, cached',
    packages: () => response(buildNativeResponse(decoded, creative)),
    ours: () => response(built),
  };
};

const cancellation = (): Part => {
  let cancelled = 0;
  const onCancel = () => cancelled++;
  return {
    name: 'cancelling the three calls of an auction',
    packages: () => {
      const controller = new AbortController();
      for (let i = 0; i < 3; i++) controller.signal.addEventListener('abort', onCancel, { once: true });
      controller.abort();
      return cancelled;
    },
    ours: () => {
      const token = new Cancellation();
      for (let i = 0; i < 3; i++) token.onCancel(onCancel);
      token.cancel('late');
      return cancelled;
    },
  };
};

const parts = [
  prototypes(),
  address(),
  parsing(),
  validation(),
  native(),
  consent(),
  markup(),
  cancellation(),
  await chunkedBody(),
  ...metrics(),
];
const measured = parts.map(({ packages, ours }) => {
  const nanoseconds: [number[], number[]] = [[], []];
  for (const run of [packages, ours]) measure(run);
  for (let round = 0; round < rounds; round++) {
    nanoseconds[0].push(measure(packages));
    nanoseconds[1].push(measure(ours));
  }
  return nanoseconds;
});

const micros = (nanoseconds: readonly number[]): string => (median(nanoseconds) / 1000).toFixed(2);
writeResults('Replaced parts of the packages', 'make bench BENCH=parts', [
  `One part at a time, the package's own way and ours in turn: medians of ${rounds} rounds of ${roundMs} ms in one process.`,
  '',
  ...table(
    ['part', 'package, µs', 'ours, µs', 'ours ÷ package'],
    parts.map(({ name }, index) => {
      const [packages, ours] = measured[index]!;
      return [name, micros(packages), micros(ours), ratio(ours, packages).toFixed(2)];
    }),
  ),
]);
void sink;
