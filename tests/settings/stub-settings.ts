import { vi } from 'vitest';

/** Sets the environment variables that the app requires, with `url` as each URL. `more` adds or replaces variables. */
export function stubSettings(url: string, more: Record<string, string> = {}): void {
  const secret = 'x'.repeat(32);
  const settings = {
    NEXT_PUBLIC_SUPABASE_URL: url,
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_for_this_test',
    SUPABASE_SECRET_KEY: 'sb_secret_for_this_test_only',
    APP_URL: url,
    SPEC_WORKFLOW_URL: url,
    IMAGE_WORKFLOW_URL: url,
    WEBHOOK_SECRET: secret,
    IMAGE_WEBHOOK_SECRET: secret,
    WORKFLOW_SIGNING_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    CRON_SECRET: secret,
    MATLIB_URL: url,
    ...more,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
}
