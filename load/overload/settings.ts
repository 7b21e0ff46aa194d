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
];

/** Those whose numbers, from 1, are in OVERLOAD; all by default. */
export const selectedClients = allClients.filter(
  (_, index) => !process.env.OVERLOAD || process.env.OVERLOAD.split(',').includes(String(index + 1)),
);

export const loadSeconds = Number(process.env.OVERLOAD_SECONDS ?? 5);
export const peak = { connections: 32, seconds: 2, warmUpSeconds: 20 };
/** A generator that was late by more could not offer its load: it is repeated. */
export const maxGeneratorLagMs = 60;
/** The peaks before and after a load differ by a larger share if the machine got faster or slower meanwhile: it is repeated. */
export const maxPeakDrift = 0.15;
export const maxAttempts = 2;
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
