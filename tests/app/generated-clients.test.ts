// @module-tag extended
import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildDocument } from '@/app/openapi/document';
import type { Round } from '@/tests/app/clients/round';
import { newUser } from '@/tests/app/support/people';
import { putOutput } from '@/tests/app/support/pictures';
import { makeDataDir } from '@/tests/setup/temporary-dir';

// Clients are generated from the document by two generators. A program for each of them is checked against the
// generated types, and then makes a round of calls.

const { url, env } = inject('atelier');
const { APP_URL: appUrl = '', NEXT_PUBLIC_SUPABASE_URL: supabaseUrl = '' } = env;
const modules = join(process.cwd(), 'node_modules');
const programs = join(import.meta.dirname, 'clients');

let folder: Awaited<ReturnType<typeof makeDataDir>>;

function generate(...args: string[]): void {
  const hooks = `--import=${join(programs, 'typescript-api.mjs')}`;
  const options = { cwd: folder.path, env: { ...process.env, NODE_OPTIONS: hooks }, stdio: 'pipe' } as const;
  execFileSync(process.execPath, args, options);
}

beforeAll(async () => {
  folder = await makeDataDir();
  cpSync(programs, folder.path, { recursive: true });
  symlinkSync(modules, join(folder.path, 'node_modules'));
  const document = await buildDocument({ appUrl, supabaseUrl });
  writeFileSync(join(folder.path, 'openapi.json'), JSON.stringify(document));
  generate(join(modules, 'openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'schema.ts');
  const heyApi = join(modules, '@hey-api/openapi-ts/bin/run.js');
  generate(heyApi, '-i', 'openapi.json', '-o', 'client', '-c', '@hey-api/client-fetch', '--no-log-file');
});
afterAll(() => folder.remove());

test('the programs agree with the types that are generated from the document', () => {
  const compilerOptions = {
    target: 'ES2023',
    lib: ['dom', 'dom.iterable', 'ES2024'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: [],
    skipLibCheck: true,
  };
  const config = { compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
  const run = () =>
    execFileSync(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder.path], {
      encoding: 'utf8',
    });
  expect(run()).toBe('');
});

test.each(['openapi-fetch', 'hey-api'])(
  'a program with the client of %s gets from a project over an image and its history to a PDF',
  async (name) => {
    const { round } = (await import(join(folder.path, `${name}.ts`))) as { round: Round };
    const { token } = await newUser(env);
    const seen = await round({
      url,
      token,
      secret: env.IMAGE_WEBHOOK_SECRET ?? '',
      putOutput: (job) => putOutput({ ...job, run: 1, name: 'one.png' }),
    });
    expect(seen).toMatchObject({
      received: { applied: true, status: 'succeeded' },
      prompts: ['A lobby [silent]'],
      metas: [{ seed: 7, nodes: [{ id: 1, of: null }] }],
      copied: 'queued',
      savedPages: 1,
      printedPages: 1,
    });
  },
);
