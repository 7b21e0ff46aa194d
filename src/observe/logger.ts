/** The logger: JSON lines on standard output, dropped if nobody reads them. */
import { type Logger as Pino, pino } from 'pino';
import { stdout } from './standard-streams.ts';

/** The levels that the rest of the code uses. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const createLogger = (level: string, output: Pick<typeof stdout, 'write'> = stdout): Pino =>
  pino({ level, base: { pid: process.pid } }, output);
