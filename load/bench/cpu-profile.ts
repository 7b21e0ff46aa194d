/** Sums up a V8 CPU profile: self times within a time span, and the folder, package or Node.js module of a function. */

interface CallFrame {
  functionName: string;
  url: string;
  /** Starts at 0. */
  lineNumber: number;
}

export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  /** Microseconds since the previous sample; the first since `startTime`. */
  timeDeltas: number[];
  /** Microseconds of the monotonic clock, which all processes share. */
  startTime: number;
}

export interface SelfTime {
  frame: CallFrame;
  micros: number;
}

export const nowMicros = (): number => Number(process.hrtime.bigint() / 1000n);

/** Self time per function, longest first, without idle time. A sample counts for the time until the next one. */
export function selfTimes(profile: CpuProfile, fromMicros: number, toMicros: number): SelfTime[] {
  const { nodes, samples, timeDeltas, startTime } = profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, SelfTime>();
  let sampledAt = startTime;
  for (const [index, id] of samples.entries()) {
    sampledAt += timeDeltas[index]!;
    const frame = frames.get(id)!;
    if (sampledAt < fromMicros || sampledAt > toMicros || frame.functionName === '(idle)') continue;
    const key = `${frame.functionName} ${frame.url} ${frame.lineNumber}`;
    const time = times.get(key) ?? { frame, micros: 0 };
    time.micros += timeDeltas[index + 1] ?? 0;
    times.set(key, time);
  }
  return [...times.values()].sort((a, b) => b.micros - a.micros);
}

const root = new URL('../../', import.meta.url).href;
const maxNameLength = 50;

/** The first pattern that matches a module's name decides. */
const nodeModules: [RegExp, string][] = [
  [/^_http_|^internal\/http|^http$/, 'node:http'],
  [/^net$|^internal\/net|^internal\/stream_base_commons/, 'node:net'],
  [/stream/, 'node:stream'],
  [/timers/, 'node:timers'],
  [/^events$/, 'node:events'],
  [/buffer|string_decoder/, 'node:buffer'],
  [/cluster|child_process/, 'node:cluster'],
];

/** A folder of the project, an npm package, or a module of Node.js. */
export function groupOf({ url, functionName }: CallFrame): string {
  const path = pathOf(url);
  if (path === '') return functionName.startsWith('(') ? functionName : 'native functions';
  if (path.startsWith('node:')) {
    const module = path.slice('node:'.length);
    return nodeModules.find(([pattern]) => pattern.test(module))?.[1] ?? 'node:internal';
  }
  const ofPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path);
  return ofPackage ? ofPackage[1]! : path.split('/').slice(0, 2).join('/');
}

/** Shortened: the name of a compiled regular expression is its source. */
export const nameOf = ({ functionName }: CallFrame): string =>
  functionName === '' ? '(anonymous)' : functionName.slice(0, maxNameLength);

/** File and line, relative to the project; empty for native functions. */
export function locationOf({ url, lineNumber }: CallFrame): string {
  const path = pathOf(url);
  return path === '' ? '' : `${path}:${lineNumber + 1}`;
}

const pathOf = (url: string): string =>
  url
    .replace(root, '')
    .replace(new URL(root).pathname, '')
    .replace(/^file:\/\//, '');
