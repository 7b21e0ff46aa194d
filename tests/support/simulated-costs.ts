/** What a worker's work takes in the simulation. */

/** Milliseconds of the worker's CPU time. To read and shed a request takes a twelfth of what it takes to serve it. */
export interface Costs {
  turn: number;
  accept: number;
  refuse: number;
  read: number;
  shed: number;
  /** Until the rate limiter is asked. */
  start: number;
  /** From its decision to the response. */
  finish: number;
  /** The garbage collection after every 300 requests. */
  collection: number;
}

export const costs: Costs = {
  turn: 0.04,
  accept: 0.15,
  refuse: 0.04,
  read: 0.04,
  shed: 0.035,
  start: 0.4,
  finish: 0.48,
  collection: 15,
};

/** All of them, if the machine is so many times as slow. */
export const timesSlower = (factor: number): Costs =>
  Object.fromEntries(Object.entries(costs).map(([name, ms]) => [name, ms * factor])) as unknown as Costs;

export const collectEvery = 300;

/** Requests per millisecond of a worker that refuses none. */
export function capacityOf(model: Costs, isFresh: boolean): number {
  const connection = isFresh ? model.accept + model.turn : 0;
  return 1 / (model.read + model.start + model.finish + connection + model.collection / collectEvery);
}

/** Of a machine that is `before` times as slow until it has served so many requests, then `after` times. */
export function changingSpeed(before: number, after: number, requests: number): Costs {
  let served = 0;
  const changing = { ...costs };
  for (const name of Object.keys(costs) as (keyof Costs)[]) {
    const get = () => {
      if (name === 'finish') served++;
      return costs[name] * (served <= requests ? before : after);
    };
    Object.defineProperty(changing, name, { get, enumerable: true });
  }
  return changing;
}
