import type { TestStep } from '@/lib/workflow-events/testing/schema';

const titles: Record<TestStep['step'], string> = {
  sent: 'Trigger sent',
  accepted: 'Trigger accepted',
  failed: 'Trigger failed',
  callback: 'Callback received',
};

/** Returns the title of a test step, such as `Callback received: completed`. */
export function stepTitle({ step, status }: Pick<TestStep, 'step' | 'status'>): string {
  return status ? `${titles[step]}: ${status}` : titles[step];
}

export function stepTone({ step, status }: Pick<TestStep, 'step' | 'status'>): 'quiet' | 'good' | 'bad' {
  if (step === 'failed' || status === 'failed') return 'bad';
  return step === 'sent' || status === 'running' ? 'quiet' : 'good';
}

/** Returns a response body for display, indented if it is JSON. */
export function readable(response: string): string {
  try {
    return JSON.stringify(JSON.parse(response), null, 2);
  } catch {
    return response;
  }
}
