/** When a worker counts as overloaded, and for how long. */
export interface AdmissionSettings {
  /** Half of the requests of an interval may wait this long; a longer delay means that a queue stands. */
  maxDelayMs: number;
  /** What an overloaded worker aims at. */
  targetDelayMs: number;
  intervalMs: number;
  /** A queue that lasts for less than this is a burst, which is served. */
  burstMs: number;
  /** A queue of at most this many requests is a burst until it has lasted for `maxBurstMs`: its clients stop sending, or leave. */
  burstRequests: number;
  maxBurstMs: number;
  /** A burst this long is not served to its end: its clients leave, or wait for longer than they accept. */
  severeBurstMs: number;
  /** The same if new connections are a large part of it: more requests wait unseen, in the kernel and in their clients. */
  severeConnectingBurstMs: number;
  /** After this long without a late or refused request the overload is over. */
  calmMs: number;
}

export const admissionSettings: AdmissionSettings = {
  maxDelayMs: 80,
  targetDelayMs: 20,
  intervalMs: 50,
  burstMs: 300,
  burstRequests: 64,
  maxBurstMs: 2_000,
  severeBurstMs: 150,
  severeConnectingBurstMs: 100,
  calmMs: 200,
};
