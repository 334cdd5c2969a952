import { expect, inject } from 'vitest';
import type { Mode } from '@/tests/fakes/workflow/modes';

/** Tells the fake workflow service how to behave from now on; `delayMs` is how long its work seems to take. */
export async function tellWorkflow(change: { mode?: Mode; delayMs?: number }): Promise<void> {
  const control = inject('atelier').env.SPEC_WORKFLOW_URL?.replace(/\/spec$/, '/control') ?? '';
  const { status } = await fetch(control, { method: 'PUT', body: JSON.stringify(change) });
  expect(status).toBe(200);
}
