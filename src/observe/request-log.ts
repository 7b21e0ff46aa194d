/** One line for each refusal and error, so many a second for each reason, and for a share of the rest; through pino-http. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger as Pino } from 'pino';
import { pinoHttp } from 'pino-http';

/** What a line tells. Never an address, a user's id or a consent string. */
export interface RequestFacts {
  requestId: string;
  outcome: string;
  /** The error's row, for outcomes that have one. */
  reason: string | undefined;
  publisher: string | undefined;
  mode: string;
  durationMs: number;
}

export interface RequestLogParts {
  logger: Pino;
  /** The share of answers without an error that is logged. */
  sample: number;
  nowMs: () => number;
  random: () => number;
}

/** Lines a second for one reason; beyond that they are counted and told with the next one. */
const linesASecond = 10;

const message = 'request';

const facts = new WeakMap<IncomingMessage, object>();

const withUnsaid = (told: object, suppressed: number): object => (suppressed > 0 ? { ...told, suppressed } : told);

function withoutOwnTime(line: { responseTime?: number }): object {
  const { responseTime: _own, ...rest } = line;
  return rest;
}

/** Costs nothing for an answer that is not logged: pino-http sees only those that are. */
export function createRequestLog({ logger, sample, nowMs, random }: RequestLogParts) {
  const log = pinoHttp({
    logger,
    genReqId: (request) => (facts.get(request) as RequestFacts).requestId,
    serializers: { req: () => undefined, res: ({ statusCode }: { statusCode: number }) => ({ statusCode }) },
    customProps: (request) => facts.get(request) ?? {},
    customSuccessMessage: () => message,
    customErrorMessage: () => message,
    // its own time begins when it is asked to log, which is after the answer
    customSuccessObject: (_request, _response, line) => withoutOwnTime(line as object),
    customErrorObject: (_request, _response, _error, line) => withoutOwnTime(line as object),
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
  });
  const budget = new LineBudget(nowMs);
  return {
    /** Undefined where an answer gets no line; else how many with that reason got none since the last line. */
    take(reason: string | undefined): number | undefined {
      if (reason !== undefined) return budget.take(reason);
      return random() < sample ? 0 : undefined;
    },
    write(request: IncomingMessage, response: ServerResponse, told: RequestFacts, suppressed: number): void {
      facts.set(request, withUnsaid(told, suppressed));
      log(request, response);
    },
    /** Of what was answered without becoming a request. */
    tell(told: Pick<RequestFacts, 'requestId' | 'outcome' | 'reason'>, suppressed: number): void {
      logger.info(withUnsaid(told, suppressed), message);
    },
  };
}

class LineBudget {
  readonly #nowMs: () => number;
  readonly #byReason = new Map<string, { since: number; said: number; suppressed: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** How many lines were left unsaid since the last one, or undefined where this one is too. */
  take(reason: string): number | undefined {
    const second = Math.floor(this.#nowMs() / 1000);
    const known = this.#byReason.get(reason);
    if (known && known.since === second && known.said >= linesASecond) {
      known.suppressed++;
      return undefined;
    }
    const said = known?.since === second ? known.said + 1 : 1;
    this.#byReason.set(reason, { since: second, said, suppressed: 0 });
    return known?.suppressed ?? 0;
  }
}
