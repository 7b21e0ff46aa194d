/** Injects exceptions at the stages of a request, in the modules that a test imports afterwards. */
import { ServerResponse } from 'node:http';
import { afterAll, beforeAll, jest } from '@jest/globals';

/** The stage that throws the next time it is reached, and the stage that throws every time. */
export const faults: { armed: string | undefined; permanent: string | undefined } = {
  armed: undefined,
  permanent: undefined,
};

/** Marks a stage: throws if it is armed. */
export function reach(stage: string): void {
  if (faults.permanent !== stage) {
    if (faults.armed !== stage) return;
    faults.armed = undefined;
  }
  throw new Error(`injected at ${stage}`);
}

type AnyFunction = (...args: never[]) => unknown;

/** `run`, which fails when its stage is armed. */
export const failing = <F extends AnyFunction>(stage: string, run: F): F =>
  ((...args: never[]) => {
    reach(stage);
    return run(...args);
  }) as F;

/** Replaces an export of a module by one that fails when its stage is armed. */
export async function inject(module: string, name: string, stage: string): Promise<void> {
  const path = `../../src/${module}.ts`;
  const actual = (await import(path)) as Record<string, AnyFunction>;
  jest.unstable_mockModule(path, () => ({ ...actual, [name]: failing(stage, actual[name]!) }));
}

/** Replaces an adapter by one whose bidder fails when its stage is armed. */
export async function injectAdapter(module: string, name: string): Promise<void> {
  const path = `../../src/demand/${module}.ts`;
  const actual = (await import(path)) as Record<
    string,
    { createBidder(settings: object): Record<string, AnyFunction> }
  >;
  const createBidder = (settings: object) => {
    const bidder = actual[name]!.createBidder(settings);
    return Object.fromEntries(Object.entries(bidder).map(([method, run]) => [method, failing(method, run)]));
  };
  jest.unstable_mockModule(path, () => ({ ...actual, [name]: { ...actual[name], createBidder } }));
}

/** Makes the writing of responses fail when its stage is armed, for the tests of the importing file. */
export function installFailingResponses(): void {
  const prototype = ServerResponse.prototype as unknown as Record<string, AnyFunction>;
  const methods: [name: string, stage: string][] = [
    ['writeHead', 'write headers'],
    ['end', 'write body'],
  ];
  const originals = methods.map(([name]) => [name, prototype[name]!] as const);
  beforeAll(() => {
    for (const [name, stage] of methods) {
      const method = prototype[name]!;
      prototype[name] = function (this: ServerResponse, ...args: never[]) {
        reach(stage);
        return method.apply(this, args);
      };
    }
  });
  afterAll(() => {
    for (const [name, method] of originals) prototype[name] = method;
  });
}
