/** Reads OpenTelemetry's own variables (`OTEL_*`). By its specification, an invalid value is reported and ignored. */

export type Variables = Readonly<Record<string, string | undefined>>;
/** Reports a variable with an invalid value. */
export type Warn = (variable: string, expected: string) => void;

export interface TracingSettings {
  sampler: SamplerSettings;
  batch: BatchSettings;
}

export interface SamplerSettings {
  /** Whether the caller's `sampled` flag decides if it sends one. */
  isParentBased: boolean;
  /** The share of the other traces that is sampled. */
  ratio: number;
}

/** Undefined members have the default of the specification. */
export interface BatchSettings {
  scheduledDelayMillis?: number;
  exportTimeoutMillis?: number;
  maxQueueSize?: number;
  maxExportBatchSize?: number;
}

/** Undefined if tracing is off, which is the default. */
export function readTracingSettings(variables: Variables, warn: Warn): TracingSettings | undefined {
  if (!isEnabled(variables, warn)) return undefined;
  return { sampler: readSampler(variables, warn), batch: readBatch(variables, warn) };
}

const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

function isEnabled(variables: Variables, warn: Warn): boolean {
  const variable = endpoints.find((name) => valueOf(variables, name) !== undefined);
  if (variable === undefined) return false;
  if (valueOf(variables, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  if (valueOf(variables, 'OTEL_TRACES_EXPORTER') === 'none') return false;
  const url = URL.parse(valueOf(variables, variable)!);
  if (url && /^https?:$/.test(url.protocol)) return true;
  warn(variable, 'must be an http:// or https:// URL; tracing is off');
  return false;
}

const samplers: Readonly<Record<string, { isParentBased: boolean; ratio?: number }>> = {
  always_on: { isParentBased: false, ratio: 1 },
  always_off: { isParentBased: false, ratio: 0 },
  traceidratio: { isParentBased: false },
  parentbased_always_on: { isParentBased: true, ratio: 1 },
  parentbased_always_off: { isParentBased: true, ratio: 0 },
  parentbased_traceidratio: { isParentBased: true },
};
const defaultSampler = 'parentbased_always_on';

function readSampler(variables: Variables, warn: Warn): SamplerSettings {
  const name = valueOf(variables, 'OTEL_TRACES_SAMPLER') ?? defaultSampler;
  const isKnown = Object.hasOwn(samplers, name);
  if (!isKnown)
    warn('OTEL_TRACES_SAMPLER', `must be one of ${Object.keys(samplers).join(', ')}; ${defaultSampler} is used`);
  const { isParentBased, ratio } = samplers[isKnown ? name : defaultSampler]!;
  return { isParentBased, ratio: ratio ?? readRatio(variables, warn) };
}

function readRatio(variables: Variables, warn: Warn): number {
  const text = valueOf(variables, 'OTEL_TRACES_SAMPLER_ARG');
  if (text === undefined) return 1;
  const ratio = Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  warn('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1; 1 is used');
  return 1;
}

const batchVariables: Readonly<Record<keyof BatchSettings, string>> = {
  scheduledDelayMillis: 'OTEL_BSP_SCHEDULE_DELAY',
  exportTimeoutMillis: 'OTEL_BSP_EXPORT_TIMEOUT',
  maxQueueSize: 'OTEL_BSP_MAX_QUEUE_SIZE',
  maxExportBatchSize: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
};

function readBatch(variables: Variables, warn: Warn): BatchSettings {
  const batch: BatchSettings = {};
  for (const [setting, variable] of Object.entries(batchVariables)) {
    const text = valueOf(variables, variable);
    if (text === undefined) continue;
    if (/^[1-9]\d{0,8}$/.test(text)) batch[setting as keyof BatchSettings] = Number(text);
    else warn(variable, 'must be a positive integer; the default is used');
  }
  return batch;
}

/** Empty counts as unset. */
function valueOf(variables: Variables, name: string): string | undefined {
  const text = variables[name]?.trim();
  return text === '' ? undefined : text;
}
