/** A promise held to a time. */

/**
 * Rejects when `mostMs` have passed. A process that was itself held up for so long finds the timer due and the answer in
 * the socket: the answer is looked at first.
 */
export function within<T>(mostMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${mostMs} ms`));
    const timer = setTimeout(() => setImmediate(giveUp), mostMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
