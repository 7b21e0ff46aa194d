/** The request log, written by pino-http: a sample of the responses, and all errors within a cap per reason and publisher. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { maxLoggedIdLength } from '../contract/api-limits.ts';
import { LogCap } from './log-cap.ts';
import { copyStart } from '../json/copy-start.ts';

/** The fields of a line, chosen by the caller. */
type LineFields = object & { requestId: string };

export interface RequestLogParts {
  logger: Logger;
  /** The share of responses without an error that is logged. */
  sample: number;
  nowMs: () => number;
  random: () => number;
}

const maxLinesPerSecond = 10;
/** Publisher ids come from callers: a caller that varies them must not defeat the cap. */
const maxLinesPerError = 100;
const message = 'request';
/** Lines with a stack are capped for all publishers together. */
const defectName = 'server.defect';

/** pino-http sees only the requests that are logged: the others cost nothing. */
export function createRequestLog({ logger, sample, nowMs, random }: RequestLogParts) {
  const log = createPinoHttp(logger);
  const perPublisher = new LogCap({ maxLines: maxLinesPerSecond, perMs: 1_000, nowMs });
  const perError = new LogCap({ maxLines: maxLinesPerError, perMs: 1_000, nowMs });
  return {
    /** Undefined if this request gets no line; otherwise how many lines like it were suppressed since the last one. */
    admit(errorName: string | undefined, publisher: string | undefined): number | undefined {
      if (errorName === undefined) return random() < sample ? 0 : undefined;
      const owner = errorName === defectName ? '' : copyStart(publisher ?? '', maxLoggedIdLength);
      const suppressed = perPublisher.admit(`${errorName} ${owner}`);
      if (suppressed === undefined) return undefined;
      const more = perError.admit(errorName);
      if (more !== undefined) return suppressed + more;
      perError.addSuppressed(errorName, suppressed);
      return undefined;
    },
    /** `defect` is the exception behind a 500; its stack is logged. */
    write(
      request: IncomingMessage,
      response: ServerResponse,
      fields: LineFields,
      suppressed: number,
      defect: unknown,
    ): void {
      const line = withSuppressed(fields, suppressed);
      if (defect !== undefined) {
        logger.error({ ...line, res: { statusCode: response.statusCode }, err: defect }, message);
        return;
      }
      (request as LoggedRequest).logLine = line;
      log(request, response);
    },
    /** For bytes that were not an HTTP request. */
    writeRejected(fields: LineFields, suppressed: number): void {
      logger.info(withSuppressed(fields, suppressed), message);
    },
  };
}

interface LoggedRequest extends IncomingMessage {
  logLine?: LineFields;
}

const withSuppressed = <Fields extends LineFields>(fields: Fields, suppressed: number): Fields =>
  suppressed > 0 ? { ...fields, suppressed } : fields;

const withLogLine = ({ logLine }: LoggedRequest, own: object): object => ({ ...logLine, ...ownFields(own) });

const createPinoHttp = (logger: Logger) =>
  pinoHttp({
    logger,
    genReqId: ({ logLine }: LoggedRequest) => logLine!.requestId,
    serializers: { req: () => undefined, res: ({ statusCode }: { statusCode: number }) => ({ statusCode }) },
    customSuccessMessage: () => message,
    customErrorMessage: () => message,
    customSuccessObject: (request, _response, line) => withLogLine(request, line as object),
    customErrorObject: (request, _response, _error, line) => withLogLine(request, line as object),
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
  });

/** Without pino-http's own duration, which starts when the line is requested, and its own error for a status of 5xx. */
function ownFields(line: { responseTime?: number; err?: unknown }): object {
  const { responseTime: _duration, err: _status, ...fields } = line;
  return fields;
}
