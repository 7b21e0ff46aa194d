/** Self times out of a CPU profile as V8 writes it, those of a stretch of time only. */

interface CallFrame {
  functionName: string;
  url: string;
  /** From 0. */
  lineNumber: number;
}

export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  /** Microseconds since the sample before, the first since `startTime`. */
  timeDeltas: number[];
  /** Microseconds of the monotonic clock, which is one for all processes. */
  startTime: number;
}

export interface SelfTime {
  frame: CallFrame;
  micros: number;
}

export const nowMicros = (): number => Number(process.hrtime.bigint() / 1000n);

/** Of each function, the longest first; a sample counts for the time until the next one. Idle time is left out. */
export function selfTimes(profile: CpuProfile, fromMicros: number, toMicros: number): SelfTime[] {
  const { nodes, samples, timeDeltas, startTime } = profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, SelfTime>();
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index]!;
    const frame = frames.get(id)!;
    if (at < fromMicros || at > toMicros || frame.functionName === '(idle)') continue;
    const key = `${frame.functionName} ${frame.url} ${frame.lineNumber}`;
    const time = times.get(key) ?? { frame, micros: 0 };
    time.micros += timeDeltas[index + 1] ?? 0;
    times.set(key, time);
  }
  return [...times.values()].sort((a, b) => b.micros - a.micros);
}
