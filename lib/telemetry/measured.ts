import type { Attributes, Histogram, SpanKind, Tracer } from '@opentelemetry/api';

/** What is measured: each has a span of this name and a histogram `atelier.<name>.duration`. */
export const measures = ['request', 'work', 'dispatch', 'callback', 'export'] as const;
export type Measure = (typeof measures)[number];

/** What `startTelemetry` leaves here; nothing while telemetry is off. */
export type Telemetry = {
  tracer: Tracer;
  durations: Record<Measure, Histogram>;
  kinds: Record<Measure, SpanKind>;
  /** The status code of a span that has failed. */
  failed: number;
};

// Each route's bundle has its own copy of this module: they meet at the global object.
const key = Symbol.for('atelier.telemetry');
const shared = globalThis as typeof globalThis & { [key]?: Telemetry };

/** Turns what is measured on, or off again. */
export function setTelemetry(telemetry: Telemetry | undefined): void {
  shared[key] = telemetry;
}

/** What the measured work may tell of itself. */
export type Teller = {
  /** Onto the span and the histogram: few values only. */
  label: (attributes: Attributes) => void;
  /** Onto the span alone: ids. */
  note: (attributes: Attributes) => void;
  /** The work went wrong, though it did not throw. */
  fail: (reason: string) => void;
};

const silent: Teller = { label: () => {}, note: () => {}, fail: () => {} };

/**
 * Runs `work` as a span, below that of whoever called, and counts the seconds that it took. While telemetry is off it
 * only runs it: no package for it is loaded then.
 */
export function measured<T>(
  name: Measure,
  labels: Attributes,
  work: (tell: Teller) => Promise<T>,
): Promise<T> {
  const telemetry = shared[key];
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
