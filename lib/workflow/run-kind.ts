import type { z } from 'zod';
import type { Trigger } from './send-trigger';

/** One kind of run that the workflow service performs: where its trigger goes, and how the result comes back. */
export type RunKind = {
  source: 'spec' | 'image';
  trigger: z.ZodType<Trigger>;
  /** Returns the URL that triggers are sent to. A function, because settings are not known yet at import. */
  triggerUrl: () => string;
  callbackPath: string;
  /** The names of a callback's fields, which a trigger lists. */
  callbackFields: readonly string[];
  /** A run fails with `timeout` if the workflow service does not report within this many seconds. */
  deadlineS: number;
  /** Progress reports extend the deadline of a run, up to this many seconds after its start. */
  limitS: number;
};
