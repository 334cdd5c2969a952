import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import postgres from 'postgres';
import { storeDemoPicture } from '@/supabase/local/backend/demo-picture';
import { startFakeMatlib } from '@/tests/fakes/matlib/server';
import { startFakeWorkflow } from '@/tests/fakes/workflow/server';

/** A migrated Supabase project that is used only for tests. */
export type HostedSupabase = { url: string; publishableKey: string; secretKey: string; databaseUrl: string };

/** The environment variable of each field of `HostedSupabase`. `npm run test:hosted` sets them from its options. */
export const hostedVariables: Record<keyof HostedSupabase, string> = {
  url: 'TEST_SUPABASE_URL',
  publishableKey: 'TEST_SUPABASE_PUBLISHABLE_KEY',
  secretKey: 'TEST_SUPABASE_SECRET_KEY',
  databaseUrl: 'TEST_DATABASE_URL',
};

/**
 * Returns the Supabase project that the tests of the running product use instead of the embedded backend, or null if
 * the environment names none.
 */
export function hostedSupabase(): HostedSupabase | null {
  const read = (name: keyof HostedSupabase) => process.env[hostedVariables[name]] ?? '';
  const hosted = {
    url: read('url'),
    publishableKey: read('publishableKey'),
    secretKey: read('secretKey'),
    databaseUrl: read('databaseUrl'),
  };
  return hosted.url ? hosted : null;
}

/**
 * Creates the demo accounts, starts the fakes that local mode would start, and returns the settings for an app on
 * `port` that uses the project and these fakes. `stop` stops the fakes and deletes the demo accounts and every account
 * that the tests created. If anything fails, does what `stop` does, and throws the error.
 */
export async function prepareHosted(hosted: HostedSupabase, port: number) {
  const sql = postgres(hosted.databaseUrl, { max: 1, onnotice: () => {} });
  const fakes: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    try {
      await Promise.all(fakes.map((fake) => fake.stop()));
      // The password of these accounts is public, so the accounts must not remain.
      await sql`delete from auth.users where email like '%@atelier.test'`;
    } finally {
      await sql.end();
    }
  };
  try {
    const seed = await readFile('supabase/seed.sql', 'utf8');
    await sql.begin((tx) => tx.unsafe(`set local atelier.local_copy = 'on'; ${seed}`).simple());
    await storeDemoPicture(hosted);
    return { env: await startFakes(hosted, port, fakes), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the fakes, adds them to `started`, and returns the settings for an app that uses the project and the fakes. */
async function startFakes(
  { url, publishableKey, secretKey }: HostedSupabase,
  port: number,
  started: { stop(): Promise<void> }[],
): Promise<Record<string, string>> {
  const secret = () => randomBytes(32).toString('base64url');
  const settings = {
    WEBHOOK_SECRET: secret(),
    IMAGE_WEBHOOK_SECRET: secret(),
    CRON_SECRET: secret(),
    WORKFLOW_SIGNING_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  };
  const workflow = await startFakeWorkflow({
    port: 0,
    mode: 'ok',
    signingSecret: settings.WORKFLOW_SIGNING_SECRET,
    webhookSecret: settings.WEBHOOK_SECRET,
    imageWebhookSecret: settings.IMAGE_WEBHOOK_SECRET,
  });
  started.push(workflow);
  const matlib = await startFakeMatlib({ port: 0 });
  started.push(matlib);
  return {
    ...settings,
    NEXT_PUBLIC_SUPABASE_URL: url,
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: publishableKey,
    SUPABASE_SECRET_KEY: secretKey,
    APP_URL: `http://127.0.0.1:${port}`,
    SPEC_WORKFLOW_URL: `${workflow.url}/spec`,
    IMAGE_WORKFLOW_URL: `${workflow.url}/image`,
    MATLIB_URL: matlib.url,
    MATLIB_ASSET_HOSTS: new URL(matlib.url).host,
  };
}
