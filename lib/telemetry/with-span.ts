import type { Attributes, Histogram, SpanKind, Tracer } from '@opentelemetry/api';
import { sharedValue } from '@/lib/process/shared-value';

/** The names of spans. Each name has a histogram, `atelier.<name>.duration`. */
export const spanNames = ['request', 'work', 'dispatch', 'callback', 'export'] as const;
export type SpanName = (typeof spanNames)[number];

/** The OpenTelemetry objects that `startTelemetry` sets and `withSpan` uses. */
export type Telemetry = {
  tracer: Tracer;
  durations: Record<SpanName, Histogram>;
  kinds: Record<SpanName, SpanKind>;
  /** The status code of a failed span. */
  failed: number;
};

const shared = sharedValue('telemetry', (): { telemetry?: Telemetry | undefined } => ({}));

/** Turns telemetry on, or off if `telemetry` is undefined. */
export function setTelemetry(telemetry: Telemetry | undefined): void {
  shared.telemetry = telemetry;
}

/** Records details of the work that runs in a span. */
export type SpanRecorder = {
  /** Adds attributes to the span and the histogram. Use it only for attributes with few distinct values. */
  label: (attributes: Attributes) => void;
  /** Adds attributes, such as ids, only to the span. */
  note: (attributes: Attributes) => void;
  /** Marks the work as failed although it does not throw. */
  fail: (reason: string) => void;
};

const silent: SpanRecorder = { label: () => {}, note: () => {}, fail: () => {} };

/**
 * Runs `work` in a span and records its duration in seconds. The span becomes a child of the current span, if there is
 * one. While telemetry is off, only runs `work`.
 */
export function withSpan<T>(
  name: SpanName,
  labels: Attributes,
  work: (span: SpanRecorder) => Promise<T>,
): Promise<T> {
  const { telemetry } = shared;
  if (!telemetry) return work(silent);
  const { tracer, durations, kinds, failed } = telemetry;
  return tracer.startActiveSpan(name, { kind: kinds[name], attributes: labels }, async (span) => {
    const all = { ...labels };
    const startedAt = performance.now();
    const fail = (reason: string) => {
      span.setStatus({ code: failed, message: reason });
    };
    try {
      return await work({
        label: (attributes) => {
          Object.assign(all, attributes);
          span.setAttributes(attributes);
        },
        note: (attributes) => {
          span.setAttributes(attributes);
        },
        fail,
      });
    } catch (error) {
      fail(error instanceof Error ? error.name : 'Error');
      throw error;
    } finally {
      durations[name].record((performance.now() - startedAt) / 1000, all);
      span.end();
    }
  });
}
