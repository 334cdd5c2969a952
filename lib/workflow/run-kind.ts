import type { z } from 'zod';
import type { Trigger } from './send-trigger';

/** Describes one kind of run: where its triggers are sent, and how the workflow service reports its results. */
export type RunKind = {
  source: 'spec' | 'image';
  trigger: z.ZodType<Trigger>;
  /** Returns the URL that triggers are sent to. It is a function, because settings are not available at import time. */
  triggerUrl: () => string;
  callbackPath: string;
  /** The names of a callback's fields, as listed in every trigger. */
  callbackFields: readonly string[];
  /**
   * A run fails with `timeout` if the workflow service sends no report within this many seconds of the trigger or of
   * the last progress report.
   */
  deadlineS: number;
  /** Progress reports extend a run's deadline to at most this many seconds after the run's start. */
  limitS: number;
};
