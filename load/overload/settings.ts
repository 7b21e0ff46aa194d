/** The loads of the overload benchmark. */

/** Multiples of the peak. */
export const loads = [0.8, 1.2, 2, 4];

export interface Clients {
  /** How many connections the clients have at most. */
  connections: number;
  /** A client gives up a request this long after it was due, and closes its connection. */
  timeoutMs: number;
  /** Each request has a connection of its own. */
  isFresh: boolean;
}

const allClients: Clients[] = [
  { connections: 500, timeoutMs: 300, isFresh: false },
  { connections: 500, timeoutMs: 1_000, isFresh: false },
  { connections: 4_000, timeoutMs: 300, isFresh: false },
  { connections: 4_000, timeoutMs: 1_000, isFresh: false },
  { connections: 500, timeoutMs: 300, isFresh: true },
  { connections: 4_000, timeoutMs: 1_000, isFresh: true },
  { connections: 500, timeoutMs: 1_000, isFresh: true },
  { connections: 4_000, timeoutMs: 300, isFresh: true },
];

/** Those whose numbers, from 1, are in OVERLOAD; all by default. */
export const selectedClients = allClients.filter(
  (_, index) => !process.env.OVERLOAD || process.env.OVERLOAD.split(',').includes(String(index + 1)),
);

export const loadSeconds = Number(process.env.OVERLOAD_SECONDS ?? 5);
export const peak = { connections: 32, seconds: 2, warmUpSeconds: 20 };
/** The machine may change its speed from one second to the next: each load is offered so often, and its medians count. */
export const rounds = Number(process.env.OVERLOAD_ROUNDS ?? 3);
/** Each of two checkouts. */
export const comparedRounds = Number(process.env.OVERLOAD_ROUNDS ?? 5);
/** By so much the responses of Redis are delayed, at least. */
export const redisDelayMs = Number(process.env.OVERLOAD_REDIS_MS ?? 0);
export const variables = ['OVERLOAD', 'OVERLOAD_SECONDS', 'OVERLOAD_ROUNDS', 'OVERLOAD_REDIS_MS'];
/** After an overload: at this multiple of the peak, the share of requests that succeed is as before it. */
export const recovery = { load: 0.8, seconds: 4, success: 0.95, sliceMs: 250 };

export const goals = {
  goodput: new Map([
    [2, 0.85],
    [4, 0.65],
  ]),
  p99Ms: 200,
  recoveryMs: 3_000,
};
