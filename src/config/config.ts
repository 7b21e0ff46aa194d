/** The whole configuration, as the rest of the code sees it: typed, complete, frozen. */
import type { PartnerSettings } from '../demand/adapter.ts';

export interface Config {
  endpoint: { port: number; host: string };
  admin: { port: number; host: string };
  workers: number;
  redisUrl: string | undefined;
  limits: { global: number; publisher: number; ip: number };
  trustProxy: string | number;
  /** Undefined where no file is named: the sandbox says which. */
  partners: readonly PartnerSettings[] | undefined;
  timeoutMs: number;
  softTimeoutMs: number;
  defaultAuctionType: 1 | 2;
  logLevel: string;
  logSample: number;
  drainMs: number;
}
