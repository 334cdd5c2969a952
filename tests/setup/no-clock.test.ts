import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// A test that depends on the machine's speed fails on a slow or busy machine even though the product works.
const rules: [name: string, pattern: RegExp][] = [
  ['a measured duration', /performance\.now\(|process\.hrtime|process\.cpuUsage/],
  ['a fixed pause', /\bawait new Promise\(.*setTimeout|(?<!\.)\bsleep\(|waitForTimeout/],
  [
    'a separate time limit',
    /\btimeout: ?[\d_]+|^\s*\}, [\d_]{4,}\);|\.setTimeout\(|setDefaultTimeout|setConfig/m,
  ],
  ['a wait that gives up after a second', /\bvi\.wait(For|Until)\(/],
];

/** Files that are not checked, each with the reason. */
const exceptions: Record<string, string> = {
  'tests/setup/no-clock.test.ts': 'names the patterns',
  'tests/lib/read-json.test.ts': 'runs on a clock that it moves',
};

test('no test measures time, pauses for a fixed time or sets its own time limit', () => {
  const found = globSync('tests/**/*.test.{ts,tsx}')
    .filter((file) => !(file in exceptions))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return rules.flatMap(([name, pattern]) => (pattern.test(text) ? [`${file}: ${name}`] : []));
    });
  expect(found, 'wait for a condition with poll or eventually, or measure in tests/bench').toEqual([]);
});
