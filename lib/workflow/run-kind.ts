import type { z } from 'zod';
import type { Trigger } from './send-trigger';

/** One kind of run that the workflow service does for us: where its trigger goes, and how the result comes back. */
export type RunKind = {
  source: 'spec' | 'image';
  trigger: z.ZodType<Trigger>;
  /** Where triggers are sent; read when sending, because settings are not known at import. */
  triggerUrl: () => string;
  callbackPath: string;
  /** The fields of a callback, as a trigger names them. */
  callbackFields: readonly string[];
  /** A run fails with `timeout` when the workflow service has not reported within this many seconds. */
  deadlineS: number;
  /** Reports on a run that is under way move its deadline, but not beyond this many seconds after its start. */
  limitS: number;
};
