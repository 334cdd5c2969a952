import { serverEnv } from '@/lib/env/server';
import { version } from '@/lib/env/version';
import type { QueueDepth } from '@/lib/queue/depth';
import { type SpanName, setTelemetry, spanNames, type Telemetry } from './with-span';

const SEND_MS = 3_000;

/**
 * Starts sending traces and metrics to OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP, JSON). Without that setting, does
 * nothing and does not load OpenTelemetry. Exports only Atelier's own spans, because Next's spans contain signed URLs.
 * Returns a function that flushes and stops telemetry.
 */
export async function startTelemetry(readDepth: () => Promise<QueueDepth[]>): Promise<() => Promise<void>> {
  const env = serverEnv();
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return async () => {};
  const [
    api,
    traces,
    metrics,
    { resourceFromAttributes },
    hooks,
    { OTLPTraceExporter },
    { OTLPMetricExporter },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
  ]);
  const resource = resourceFromAttributes({
    'service.name': env.OTEL_SERVICE_NAME,
    'service.version': version,
    'process.pid': process.pid,
  });
  const sender = (path: string) => ({ url: `${endpoint}/v1/${path}`, timeoutMillis: SEND_MS });
  const spans = new traces.TracerProvider({
    resource,
    spanProcessors: [
      new traces.BatchSpanProcessor({
        exporter: new OTLPTraceExporter(sender('traces')),
        scheduledDelayMillis: env.OTEL_BSP_SCHEDULE_DELAY,
      }),
    ],
  });
  const reader = new metrics.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(sender('metrics')),
    exportIntervalMillis: env.OTEL_METRIC_EXPORT_INTERVAL,
    exportTimeoutMillis: Math.min(SEND_MS, env.OTEL_METRIC_EXPORT_INTERVAL),
  });
  const numbers = new metrics.MeterProvider({ resource, readers: [reader] });
  // The context manager lets a span find its parent. The providers are not registered globally, so Next's spans do not
  // reach them.
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());

  const meter = numbers.getMeter('atelier', version);
  const durations = Object.fromEntries(
    spanNames.map((name) => [name, meter.createHistogram(`atelier.${name}.duration`, { unit: 's' })]),
  ) as Telemetry['durations'];
  const pending = meter.createObservableGauge('atelier.queue.pending', { unit: '{item}' });
  const oldest = meter.createObservableGauge('atelier.queue.oldest_due', { unit: 's' });
  meter.addBatchObservableCallback(
    async (result) => {
      for (const { kind, ...depth } of await readDepth().catch(() => [])) {
        result.observe(pending, depth.pending, { kind });
        result.observe(oldest, depth.oldestDueS, { kind });
      }
    },
    [pending, oldest],
  );
  const { SERVER, CONSUMER, CLIENT, INTERNAL } = api.SpanKind;
  const kinds: Record<SpanName, (typeof api.SpanKind)[keyof typeof api.SpanKind]> = {
    request: SERVER,
    work: CONSUMER,
    dispatch: CLIENT,
    callback: INTERNAL,
    export: INTERNAL,
  };
  setTelemetry({
    tracer: spans.getTracer('atelier', version),
    durations,
    kinds,
    failed: api.SpanStatusCode.ERROR,
  });
  return async () => {
    setTelemetry(undefined);
    await Promise.allSettled([spans.shutdown(), numbers.shutdown()]);
  };
}
