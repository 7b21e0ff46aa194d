/** OpenTelemetry's own variables: off by default, invalid values are reported and ignored. */
import { describe, expect, test } from '@jest/globals';
import { readTracingSettings, type Variables } from '../../src/trace/tracing-settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

function read(variables: Variables) {
  const warnings: string[] = [];
  const settings = readTracingSettings(variables, (variable) => warnings.push(variable));
  return { settings, warnings };
}

describe('tracing is off', () => {
  test.each<[string, Variables]>([
    ['without an endpoint', { OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'always_on' }],
    ['with an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    ['if the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
    ['if the SDK is disabled in capitals', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
    ['if traces have no exporter', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('%s', (_name, variables) => {
    expect(read(variables)).toEqual({ settings: undefined, warnings: [] });
  });

  test.each(['127.0.0.1:4318', 'grpc://collector:4317', 'localhost'])('with the endpoint %s, and says so', (url) => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toEqual({
      settings: undefined,
      warnings: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    });
  });
});

describe('tracing is on', () => {
  test.each<[string, Variables]>([
    ['with an endpoint', endpoint],
    ['with an endpoint for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/v1/traces' }],
    ['if the SDK is not disabled', { ...endpoint, OTEL_SDK_DISABLED: 'false' }],
    ['if traces are exported with OTLP', { ...endpoint, OTEL_TRACES_EXPORTER: 'otlp' }],
  ])('%s', (_name, variables) => {
    expect(read(variables)).toEqual({
      settings: { sampler: { isParentBased: true, ratio: 1 }, batch: {} },
      warnings: [],
    });
  });

  test('the endpoint for traces takes precedence', () => {
    const { settings, warnings } = read({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'nowhere' });
    expect([settings, warnings]).toEqual([undefined, ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']]);
  });
});

describe('OTEL_TRACES_SAMPLER', () => {
  test.each<[string, string | undefined, boolean, number]>([
    ['always_on', undefined, false, 1],
    ['always_off', undefined, false, 0],
    ['traceidratio', '0.25', false, 0.25],
    ['parentbased_always_on', '0.25', true, 1],
    ['parentbased_always_off', undefined, true, 0],
    ['parentbased_traceidratio', '0', true, 0],
    ['parentbased_traceidratio', '1', true, 1],
    ['parentbased_traceidratio', undefined, true, 1],
  ])('%s with the argument %p', (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, isParentBased, ratio) => {
    const { settings, warnings } = read({ ...endpoint, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG });
    expect(settings!.sampler).toEqual({ isParentBased, ratio });
    expect(warnings).toEqual([]);
  });

  test.each(['unknown', 'toString'])('%s is reported, and the default is used', (OTEL_TRACES_SAMPLER) => {
    const { settings, warnings } = read({ ...endpoint, OTEL_TRACES_SAMPLER });
    expect(settings!.sampler).toEqual({ isParentBased: true, ratio: 1 });
    expect(warnings).toEqual(['OTEL_TRACES_SAMPLER']);
  });

  test.each(['-0.1', '1.1', 'half'])('the argument %s is reported, and 1 is used', (OTEL_TRACES_SAMPLER_ARG) => {
    const { settings, warnings } = read({ ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG });
    expect(settings!.sampler.ratio).toBe(1);
    expect(warnings).toEqual(['OTEL_TRACES_SAMPLER_ARG']);
  });
});

describe('OTEL_BSP', () => {
  test('sets the batches and the queue', () => {
    const variables = {
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_BSP_EXPORT_TIMEOUT: '200',
      OTEL_BSP_MAX_QUEUE_SIZE: '300',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1',
    };
    expect(read({ ...endpoint, ...variables }).settings!.batch).toEqual({
      scheduledDelayMillis: 100,
      exportTimeoutMillis: 200,
      maxQueueSize: 300,
      maxExportBatchSize: 1,
    });
  });

  test.each(['0', '-1', '1.5', 'many'])('%s is reported, and the default is used', (OTEL_BSP_MAX_QUEUE_SIZE) => {
    const { settings, warnings } = read({ ...endpoint, OTEL_BSP_MAX_QUEUE_SIZE });
    expect(settings!.batch).toEqual({});
    expect(warnings).toEqual(['OTEL_BSP_MAX_QUEUE_SIZE']);
  });
});
