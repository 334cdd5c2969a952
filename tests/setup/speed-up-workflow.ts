import type { Settings } from '@/lib/launcher/settings';

/** Makes the fake workflow service report results almost immediately. */
export async function speedUpWorkflow(settings: Settings): Promise<void> {
  const control = settings.SPEC_WORKFLOW_URL?.replace(/\/spec$/, '/control') ?? '';
  await fetch(control, { method: 'PUT', body: JSON.stringify({ delayMs: 100 }) });
}
