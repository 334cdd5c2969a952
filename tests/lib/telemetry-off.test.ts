import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withSpan } from '@/lib/telemetry/with-span';

test('while telemetry is off, withSpan only calls its function', async () => {
  const result = await withSpan('work', { kind: 'x' }, async ({ label, note, fail }) => {
    label({ outcome: 'y' });
    note({ id: 'z' });
    fail('no matter');
    return 'done';
  });
  expect(result).toBe('done');
  await expect(withSpan('work', {}, () => Promise.reject(new Error('as it is')))).rejects.toThrow('as it is');
});

test('the telemetry packages are imported in one place, and only while telemetry is on', () => {
  const source = (path: string) => readFileSync(path, 'utf8');
  const naming = globSync(['{app,lib,hooks,components}/**/*.{ts,tsx}', '*.ts']).filter((path) =>
    source(path)
      .replaceAll(/import type .*;/g, '')
      .includes("'@opentelemetry/"),
  );
  expect(naming).toEqual(['lib/telemetry/start.ts']);
  expect(source('lib/telemetry/start.ts')).not.toMatch(/^import .*'@opentelemetry\//m);
});
