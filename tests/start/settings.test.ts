import { spawnSync } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { neededFakes } from '@/lib/launcher/fakes';
import {
  chosenSettings,
  generatedOf,
  isLocalMode,
  lastingSettings,
  localSettings,
  overridesIn,
} from '@/lib/launcher/settings';
import {
  readCheckoutSettings,
  readSavedSettings,
  writeOverrides,
  writeSettings,
} from '@/lib/launcher/settings-file';
import { systemEnv } from '@/lib/launcher/system-env';
import packageJson from '@/package.json' with { type: 'json' };
import { makeDataDir } from '@/tests/setup/temporary-dir';

let folder: Awaited<ReturnType<typeof makeDataDir>>;
beforeEach(async () => {
  folder = await makeDataDir();
});
afterEach(() => folder.remove());

const ports = { dataDir: '/data', port: 3000, localPort: 54321 };

test('a first start generates every secret, long, unique and in its documented format', () => {
  const settings = localSettings({ ...ports, chosen: {}, saved: {} });
  expect(settings).toMatchObject({
    PORT: '3000',
    ATELIER_DATA_DIR: '/data',
    SUPABASE_LOCAL_PORT: '54321',
    APP_URL: 'http://127.0.0.1:3000',
    NEXT_PUBLIC_SUPABASE_URL: 'http://127.0.0.1:54321',
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: expect.stringMatching(/^sb_publishable_[\w-]{43}$/),
    SUPABASE_SECRET_KEY: expect.stringMatching(/^sb_secret_[\w-]{43}$/),
    WEBHOOK_SECRET: expect.stringMatching(/^[\w-]{43}$/),
    IMAGE_WEBHOOK_SECRET: expect.stringMatching(/^[\w-]{43}$/),
    WORKFLOW_TOKEN: expect.stringMatching(/^[\w-]{43}$/),
    CRON_SECRET: expect.stringMatching(/^[\w-]{43}$/),
    SPEC_WORKFLOW_URL: 'http://127.0.0.1:54323/spec',
    IMAGE_WORKFLOW_URL: 'http://127.0.0.1:54323/image',
    MATLIB_URL: 'http://127.0.0.1:54324',
    MATLIB_ASSET_HOSTS: '127.0.0.1:54324',
  });
  const signing = Buffer.from(settings.WORKFLOW_SIGNING_SECRET?.replace('whsec_', '') ?? '', 'base64');
  expect(signing).toHaveLength(32);
  const again = localSettings({ ...ports, chosen: {}, saved: {} });
  const secrets = Object.keys(settings).filter((name) => /SECRET|KEY|TOKEN/.test(name));
  expect(secrets).toHaveLength(7);
  expect(new Set(secrets.flatMap((name) => [settings[name], again[name]])).size).toBe(14);
});

test('the next start keeps the secrets, and derives URLs from its own ports', () => {
  const first = localSettings({ ...ports, chosen: {}, saved: {} });
  const second = localSettings({ ...ports, port: 4000, localPort: 55000, chosen: {}, saved: first });
  expect(second).toEqual({
    ...first,
    PORT: '4000',
    SUPABASE_LOCAL_PORT: '55000',
    APP_URL: 'http://127.0.0.1:4000',
    NEXT_PUBLIC_SUPABASE_URL: 'http://127.0.0.1:55000',
    SPEC_WORKFLOW_URL: 'http://127.0.0.1:55002/spec',
    IMAGE_WORKFLOW_URL: 'http://127.0.0.1:55002/image',
    MATLIB_URL: 'http://127.0.0.1:55003',
    MATLIB_ASSET_HOSTS: '127.0.0.1:55003',
  });
});

test('a setting of the user overrides a saved one; an empty value counts as not set', () => {
  const saved = localSettings({ ...ports, chosen: {}, saved: {} });
  const given = {
    SPEC_WORKFLOW_URL: 'https://flows.example/spec',
    WEBHOOK_SECRET: 'x'.repeat(40),
    WORKFLOW_TOKEN: 'token',
    CRON_SECRET: '',
  };
  expect(localSettings({ ...ports, chosen: given, saved })).toEqual({
    ...saved,
    SPEC_WORKFLOW_URL: given.SPEC_WORKFLOW_URL,
    WEBHOOK_SECRET: given.WEBHOOK_SECRET,
    WORKFLOW_TOKEN: 'token',
  });
});

test('a secret that is set for one run does not replace the generated one', () => {
  const made = localSettings({ ...ports, chosen: {}, saved: {} });
  const generated = generatedOf({ chosen: {}, settings: made, generated: {} });
  expect(Object.keys(generated)).toHaveLength(7);
  const given = { WEBHOOK_SECRET: 'x'.repeat(40) };
  const once = localSettings({ ...ports, chosen: given, saved: generated });
  expect(once.WEBHOOK_SECRET).toBe(given.WEBHOOK_SECRET);
  const kept = generatedOf({ chosen: given, settings: once, generated });
  expect(localSettings({ ...ports, chosen: {}, saved: kept })).toEqual(made);
  // Passing in all the saved settings does not replace the generated ones either.
  expect(generatedOf({ chosen: made, settings: made, generated })).toEqual(generated);
});

test('local mode applies when no Supabase URL is given, or when the settings are those of this copy', () => {
  const saved = localSettings({ ...ports, chosen: {}, saved: {} });
  expect(isLocalMode({}, saved)).toBe(true);
  expect(isLocalMode(saved, saved)).toBe(true);
  expect(isLocalMode({ ...saved, SUPABASE_SECRET_KEY: 'sb_secret_other' }, saved)).toBe(false);
  expect(isLocalMode({ NEXT_PUBLIC_SUPABASE_URL: 'https://x.supabase.co' }, saved)).toBe(false);
  expect(isLocalMode({ NEXT_PUBLIC_SUPABASE_URL: 'https://x.supabase.co' }, {})).toBe(false);
});

test('sourcing the env file of the last start changes neither the fakes nor the URLs of the next start', () => {
  const saved = localSettings({ ...ports, chosen: {}, saved: {} });
  const given = chosenSettings(saved, saved);
  expect(neededFakes(given)).toEqual(neededFakes({}));
  const moved = { ...ports, port: 4000, localPort: 55000 };
  expect(localSettings({ ...moved, chosen: given, saved })).toEqual(
    localSettings({ ...moved, chosen: {}, saved }),
  );
});

test('a setting that is given for one start is used, but not saved in the env file that a later start may source', () => {
  const generated = localSettings({ ...ports, chosen: {}, saved: {} });
  const made = localSettings({ ...ports, chosen: {}, saved: generated });
  expect(lastingSettings(made, made)).toEqual(generated);
  const given = {
    SPEC_WORKFLOW_URL: 'http://127.0.0.1:4000',
    WEBHOOK_SECRET: 'x'.repeat(40),
    EVENT_HOSTS: 'crm.example',
  };
  const once = localSettings({ ...ports, chosen: given, saved: generated });
  expect(once).toMatchObject(given);
  const saved = lastingSettings(once, made);
  const { SPEC_WORKFLOW_URL: _url, WEBHOOK_SECRET: _secret, ...others } = generated;
  expect(saved).toEqual(others);
  const sourced = chosenSettings(saved, saved);
  expect(localSettings({ ...ports, chosen: sourced, saved: generated })).toEqual(generated);
  expect(neededFakes(sourced)).toEqual(neededFakes({}));
  // Giving the same settings again for a later start has the same effect, even if the environment also contains the
  // values of the env file.
  for (const again of [given, { ...saved, ...given }]) {
    const chosen = chosenSettings(again, saved);
    expect(localSettings({ ...ports, chosen, saved: generated })).toEqual(once);
    expect(neededFakes(chosen).map(({ key }) => key)).toEqual(['workflow', 'matlib']);
  }
});

test('a worker gets the settings that were given for the last start, and no others after the next start', async () => {
  const automatic = localSettings({ ...ports, chosen: {}, saved: {} });
  const start = async (chosen: Record<string, string>) => {
    const settings = localSettings({ ...ports, chosen, saved: automatic });
    await writeSettings(folder.path, lastingSettings(settings, automatic));
    await writeOverrides(folder.path, overridesIn(settings, automatic));
  };
  const flags = packageJson.scripts.worker
    .split(' ')
    .filter((word) => word.startsWith('--env-file-if-exists=.atelier/'))
    .map((flag) => flag.replace('.atelier', folder.path));
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [...flags, ...args], {
      encoding: 'utf8',
      env: { ...systemEnv(), NODE_ENV: 'production' },
    });
  const url = () => run('-p', 'process.env.SPEC_WORKFLOW_URL').stdout.trim();

  await start({ SPEC_WORKFLOW_URL: 'http://127.0.0.1:4000', WORKFLOW_TOKEN: 'mine' });
  expect(url()).toBe('http://127.0.0.1:4000');
  const check = run('--import', 'tsx', '-e', "import('./lib/env/server.ts').then((env) => env.serverEnv())");
  expect([check.status, check.stderr]).toEqual([0, '']);
  await start({});
  expect(url()).toBe(automatic.SPEC_WORKFLOW_URL);
});

test('the env file is readable for its owner only and returns every value unchanged', async () => {
  const settings = {
    A: 'plain',
    B: 'whsec_a+/b==',
    C: 'two words # no comment',
    D: '$HOME "x"',
    E: "it's",
    F: '',
  };
  await writeSettings(folder.path, { old: 'value' });
  await writeSettings(folder.path, settings);
  expect(readSavedSettings(folder.path)).toEqual(settings);
  expect((await stat(join(folder.path, 'env'))).mode & 0o777).toBe(0o600);
});

test('dotenv files of the checkout have the same precedence as in Next', async () => {
  const write = (name: string, text: string) => writeFile(join(folder.path, name), text);
  await write('.env', 'A=env\nB=env\nC=env\nD=env');
  await write('.env.production', 'B=mode\nC=mode\nD=mode');
  await write('.env.local', 'C=local\nD=local');
  await write('.env.production.local', 'D=mode-local');
  expect(readCheckoutSettings(folder.path, false)).toEqual({
    A: 'env',
    B: 'mode',
    C: 'local',
    D: 'mode-local',
  });
  expect(readCheckoutSettings(folder.path, true)).toEqual({ A: 'env', B: 'env', C: 'local', D: 'local' });
});
