/** Large pieces of work: who gets the next turn, and when. */
import { describe, expect, test } from '@jest/globals';
import { Pacer, processClock } from '../../src/pacing/pacer.ts';

/** An event loop whose time and idle time the test controls. */
class FakeLoop {
  now = 0;
  idle = 0;
  #soon: (() => void)[] = [];
  #afterWork: (() => void)[] = [];
  #timers: { atMs: number; callback: () => void }[] = [];

  readonly clock = {
    nowMs: () => this.now,
    idleMs: () => this.idle,
    soon: (callback: () => void) => void this.#soon.push(callback),
    afterWork: (callback: () => void) => void this.#afterWork.push(callback),
    later: (callback: () => void, delayMs: number) => void this.#timers.push({ atMs: this.now + delayMs, callback }),
  };

  /** One turn of the event loop, in which other work takes `busyMs`. */
  async turn(busyMs = 0, idleMs = 0): Promise<void> {
    this.now += busyMs + idleMs;
    this.idle += idleMs;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.now);
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.now);
    const callbacks = [...this.#soon, ...due.map(({ callback }) => callback)];
    this.#soon = [];
    for (const callback of callbacks) callback();
    await new Promise(setImmediate); // what the turns start runs to its next await
    const ended = this.#afterWork;
    this.#afterWork = [];
    for (const callback of ended) callback();
  }
}

const pieceMs = 10;

function start(maxWaitMs = 1_000) {
  const loop = new FakeLoop();
  const pacer = new Pacer(maxWaitMs, loop.clock);
  const done: string[] = [];
  const work = async (owner: string, name: string, client?: string) => {
    if (!(await pacer.turn(owner, client))) return void done.push(`${name} expired`);
    done.push(name);
    loop.now += pieceMs;
  };
  return { loop, done, work, pacer };
}

describe('the next turn', () => {
  test('is for the owner who has waited longest since its last one, and for its newest piece', async () => {
    const { loop, done, work } = start();
    void work('a', 'a1');
    void work('a', 'a2');
    void work('a', 'a3');
    void work('b', 'b1');
    for (let turns = 0; turns < 20; turns++) await loop.turn(0, pieceMs);
    expect(done).toEqual(['a3', 'b1', 'a2', 'a1']);
  });

  test('comes in a turn of the event loop of its own', async () => {
    const { loop, done, work } = start();
    void work('a', 'a1');
    void work('b', 'b1');
    await loop.turn();
    expect(done).toEqual(['a1']);
  });

  test('comes when the event loop has been idle for as long as the last piece took', async () => {
    const { loop, done, work } = start();
    void work('a', 'a1');
    void work('b', 'b1');
    await loop.turn(); // a1
    await loop.turn(); // its duration is known
    for (let turns = 0; turns < 4; turns++) await loop.turn(8, 2);
    expect({ idle: loop.idle, done }).toEqual({ idle: 8, done: ['a1'] });
    await loop.turn(8, 2);
    expect({ idle: loop.idle, done }).toEqual({ idle: 10, done: ['a1', 'b1'] });
  });

  test('comes after nineteen times as long at the latest, however busy the event loop is', async () => {
    const { loop, done, work } = start();
    void work('a', 'a1');
    void work('b', 'b1');
    await loop.turn();
    await loop.turn();
    for (let turns = 0; turns < 18; turns++) await loop.turn(pieceMs);
    expect(done).toEqual(['a1']);
    await loop.turn(pieceMs);
    expect(done).toEqual(['a1', 'b1']);
  });
});

describe('an owner with much to do', () => {
  test('waits behind those who come later with one piece', async () => {
    const { loop, done, work } = start();
    for (const name of ['a1', 'a2', 'a3']) void work('a', name);
    await loop.turn(); // a3
    void work('b', 'b1');
    await loop.turn(0, pieceMs);
    void work('c', 'c1');
    for (let turns = 0; turns < 10; turns++) await loop.turn(0, pieceMs);
    expect(done).toEqual(['a3', 'b1', 'c1', 'a2', 'a1']);
  });
});

test('an owner is late while its oldest piece has waited for more than half of what it may', async () => {
  const { loop, done, work, pacer } = start(100);
  expect(pacer.isLate('a')).toBe(false);
  for (const name of ['a1', 'a2', 'a3']) void work('a', name);
  void work('b', 'b1');
  await loop.turn(40); // a3, which takes 10 ms
  expect(['a', 'b', 'c'].map((owner) => pacer.isLate(owner))).toEqual([false, false, false]);
  await loop.turn(1);
  expect(['a', 'b', 'c'].map((owner) => pacer.isLate(owner))).toEqual([true, true, false]);
  await loop.turn(0, pieceMs); // b1
  expect({ done, late: ['a', 'b'].map((owner) => pacer.isLate(owner)) }).toEqual({
    done: ['a3', 'b1'],
    late: [true, false],
  });
});

describe('an owner with a piece that waits is late', () => {
  /** Each has one piece, and each piece takes 20 ms of the pacer's time. */
  async function startWith(owners: readonly string[]) {
    const started = start(200);
    for (const owner of owners) void started.work(owner, owner);
    for (let turns = 0; turns < 3; turns++) await started.loop.turn(0, pieceMs);
    return started;
  }

  test('if so many take turns that two of its pieces cannot both have one in time', async () => {
    const { pacer, done } = await startWith(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
    expect(done).toEqual(['a', 'b', 'c']);
    expect(pacer.isLate('i')).toBe(true); // 6 owners, 2 pieces, 20 ms: 240 ms
  });

  test('unless they can', async () => {
    const { pacer } = await startWith(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    expect(pacer.isLate('h')).toBe(false); // 5 owners: 200 ms
  });

  test('and one that has none is not, because newcomers are first', async () => {
    const { pacer } = await startWith(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
    expect(pacer.isLate('a')).toBe(false);
  });

  test('only by turns since the pacer last had nothing to do', async () => {
    const { pacer, work, loop } = await startWith(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
    for (let turns = 0; turns < 8; turns++) await loop.turn(0, pieceMs);
    for (const owner of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) void work(owner, owner);
    expect(pacer.isLate('g')).toBe(false);
  });
});

describe('the clients on whose behalf an owner has work', () => {
  async function startWithClients() {
    const started = start(200);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) void started.work('p', name, 'a');
    await started.loop.turn(); // a6
    void started.work('p', 'b1', 'b');
    void started.work('q', 'q1');
    await started.loop.turn(0, pieceMs); // q1: it is new
    return started;
  }

  test('take turns within the turns of the owner', async () => {
    const { loop, done } = await startWithClients();
    for (let turns = 0; turns < 2; turns++) await loop.turn(0, pieceMs);
    expect(done).toEqual(['a6', 'q1', 'b1', 'a5']);
  });

  test('are late each for itself', async () => {
    const { pacer } = await startWithClients();
    // 20 ms per turn: 2 clients and 6 pieces, 2 clients and 2 pieces, 1 newcomer besides
    expect(['a', 'b', 'c'].map((client) => pacer.isLate('p', client))).toEqual([true, false, false]);
  });

  test('are late, even without work of theirs, if so many newcomers wait', async () => {
    const { pacer, work } = await startWithClients();
    for (const name of ['c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) void work('p', name, name);
    expect(pacer.isLate('p', 'k')).toBe(false); // 10 newcomers with itself
    void work('p', 'l', 'l');
    expect(pacer.isLate('p', 'k')).toBe(true);
  });
});

test('a pause takes at most three quarters of what a piece may wait, however long the one before took', async () => {
  const { loop, done, work } = start(100);
  void work('a', 'a1');
  void work('b', 'b1');
  await loop.turn(); // 10 ms: nineteen times as long would be 190 ms
  for (let turns = 0; turns < 7; turns++) await loop.turn(pieceMs);
  expect(done).toEqual(['a1']);
  await loop.turn(pieceMs);
  expect(done).toEqual(['a1', 'b1']);
});

test('the time of a piece ends with the piece, a few promises later, and not with the turn of the event loop', async () => {
  const events: string[] = [];
  const clock = { ...processClock, nowMs: () => events.push('clock read') };
  const pacer = new Pacer(1_000, clock);
  const work = async () => {
    await pacer.turn('a');
    setImmediate(() => events.push('other work'));
    await Promise.resolve();
    events.push('piece');
  };
  await work();
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(() => setImmediate(resolve));
  await promise;
  const [piece, read, other] = ['piece', 'clock read', 'other work'].map((event) => events.lastIndexOf(event));
  expect(events.indexOf('clock read', piece)).toBeLessThan(other!);
  expect([piece, read].every((index) => index !== -1)).toBe(true);
});

test('a piece that has waited too long expires before its owner is next', async () => {
  const { loop, done, work } = start(50);
  void work('a', 'a1');
  void work('b', 'b1');
  await loop.turn();
  await loop.turn();
  await loop.turn(60);
  await loop.turn(40);
  expect(done).toEqual(['a1', 'b1 expired']);
});

test('a piece that has waited too long expires during a pause, not only at the next turn', async () => {
  const { loop, done, work } = start(50);
  void work('a', 'a1');
  void work('b', 'b1');
  await loop.turn(45); // a1 takes 10 ms; the pause then ends after 37.5 ms at the latest
  await loop.turn(pieceMs);
  expect({ now: loop.now, done }).toEqual({ now: 65, done: ['a1', 'b1 expired'] });
});

test('a pacer that had nothing to do starts at once', async () => {
  const { loop, done, work } = start();
  void work('a', 'a1');
  for (let turns = 0; turns < 5; turns++) await loop.turn(0, pieceMs);
  void work('a', 'a2');
  await loop.turn();
  expect(done).toEqual(['a1', 'a2']);
});
