import type { TestProject } from 'vitest/node';
import { startAtelier } from '@/supabase/local/atelier';
import { freePorts } from '@/tests/setup/free-ports';
import { hostedSupabase, prepareHosted } from '@/tests/setup/hosted-supabase';
import type { OpenApi } from '@/tests/setup/provided';
import { makeDataDir } from '@/tests/setup/temporary-dir';

/** One whole product for all files of the project; built first if the build is not of these sources. */
export default async function startForAll(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeDataDir();
  const ports = await freePorts();
  const hosted = hostedSupabase();
  const prepared = hosted && (await prepareHosted(hosted, ports.port));
  const lines: string[] = [];
  const atelier = await startAtelier({
    ...ports,
    dataDir: dataDir.path,
    distDir: process.env.ATELIER_DIST_DIR || '.next',
    log: (line) => lines.push(line),
    onDeath: (what, how) => process.stderr.write(`${lines.slice(-30).join('\n')}\n${what} ended: ${how}\n`),
    env: {
      ATELIER_LOCAL_FSYNC: 'off',
      LOG_LEVEL: 'warn',
      // As in the days of a rotation, when both secrets pass.
      WEBHOOK_SECRET_PREVIOUS: 'the-spec-secret-of-before-the-rotation',
      IMAGE_WEBHOOK_SECRET_PREVIOUS: 'the-image-secret-of-before-the-rotation',
      // Hundreds of tests share three users; the test of the limits sets its own.
      RATE_LIMIT_COSTLY: '100000',
      RATE_LIMIT_SEARCH: '100000',
      RATE_LIMIT_OTHER: '100000',
      UPLOADS_AT_ONCE: '1000',
      ...(prepared && { ...prepared.env, ATELIER_DATA_DIR: dataDir.path }),
    },
  }).catch(async (error: unknown) => {
    await prepared?.stop();
    throw error;
  });
  const { url, env, databaseUrl = hosted?.databaseUrl ?? '' } = atelier;
  project.provide('atelier', { url, env, databaseUrl, appPid: atelier.processes.app.pid ?? 0 });
  project.provide('openApi', (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApi);
  return async () => {
    await atelier.stop();
    await prepared?.stop();
    await dataDir.remove();
  };
}
