/** Applies the publishers file to a request: limits of its own, and whether it may send its publisher id. */
import type { IncomingMessage } from 'node:http';
import type { FailedOutcome } from '../exchange/outcome.ts';
import { describeValue } from '../json/describe-value.ts';
import type { LimitOverrides, RateLimitKeys } from '../limits/rate-limiter.ts';
import type { AccessProblem, Publisher } from '../publishers/publisher.ts';
import type { ClientAddress, PublisherDirectory } from '../publishers/publisher-directory.ts';
import { addressKey, type ReadAddress } from './client-address.ts';
import { failed } from './http-errors.ts';
import type { RequestContext } from './request-context.ts';

const noLimits: LimitOverrides = Object.freeze({});

export class PublisherAccess {
  readonly #directory: PublisherDirectory;
  readonly #readAddress: ReadAddress;

  /** `readAddress` returns the whole address, not the key of its bucket. */
  constructor(directory: PublisherDirectory, readAddress: ReadAddress) {
    this.#directory = directory;
    this.#readAddress = readAddress;
  }

  /** Called when the headers are read. */
  readClient(request: IncomingMessage, context: RequestContext): void {
    const address = this.#readAddress(request);
    const client = this.#directory.client(address);
    context.client = client;
    context.rateLimitKeys = keysOf(address, client);
  }

  /**
   * Called when the body is read, or will not be, and the publisher id is in the keys. A request that may not send it is not
   * charged to the publisher.
   */
  readPublisher({ headers }: IncomingMessage, context: RequestContext): void {
    const { rateLimitKeys, client } = context;
    const { publisher: id } = rateLimitKeys;
    const publisher = id === undefined ? undefined : this.#directory.find(id);
    const problem = publisher?.checkAccess(client?.bits, headers.authorization);
    if (problem) {
      rateLimitKeys.publisher = undefined;
      context.unauthorized = { publisher: id!, outcome: unauthorized(problem, headers.authorization, id!, context) };
    }
    if (rateLimitKeys.overrides || publisher)
      rateLimitKeys.overrides = limitOverrides(client, problem ? undefined : publisher);
  }
}

/** The keys of a client address whose request has no publisher, or is not read yet. */
export function keysOf(address: string | undefined, client: ClientAddress | undefined): RateLimitKeys {
  const keys: RateLimitKeys = { ip: addressKey(address), publisher: undefined };
  if (client?.limit !== undefined) keys.overrides = { ip: client.limit };
  return keys;
}

function limitOverrides(client: ClientAddress | undefined, publisher: Publisher | undefined): LimitOverrides {
  const ofPublisher = publisher?.limitOverrides ?? noLimits;
  return client?.limit === undefined ? ofPublisher : { ...ofPublisher, ip: client.limit };
}

/** The header itself is never part of an error, which is logged. */
function unauthorized(
  problem: AccessProblem,
  authorization: string | undefined,
  id: string,
  { body }: RequestContext,
): FailedOutcome {
  const { error } = failed(`publisher.${problem}`, describe(problem, authorization, id));
  const { site } = (body as { value: { site?: { publisher?: { id?: unknown } } } }).value;
  const field = site?.publisher?.id === id ? 'site.publisher.id' : 'app.publisher.id';
  return { kind: 'invalid', error: { ...error, field } };
}

function describe(problem: AccessProblem, authorization: string | undefined, id: string): string {
  const found = `got publisher id ${describeValue(id)}`;
  if (problem === 'wrongKey' || problem === 'wrongAddress') return found;
  return authorization === undefined
    ? `${found} without an Authorization header`
    : `${found} with an Authorization header that is not Bearer and a key`;
}
