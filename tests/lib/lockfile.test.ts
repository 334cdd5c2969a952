import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const lock = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
      optional: z.boolean().optional(),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
      hasInstallScript: z.boolean().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
      devDependencies: z.record(z.string(), z.string()).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
type Package = z.infer<typeof lock>['packages'][string];

const manifest = z
  .object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
    allowScripts: z.record(z.string(), z.boolean()),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
/**
 * Returns whether a package is optional and only for platforms other than Linux with glibc on x64 or arm64. The lock
 * file lacks the integrity hashes of some of these packages, because they were not installed on the machine that wrote
 * it.
 */
function isForOthers({ optional, os, cpu, libc }: Package): boolean {
  const isOurs =
    (os ?? ['linux']).includes('linux') &&
    (cpu ?? ['x64']).some((name) => name === 'x64' || name === 'arm64') &&
    (libc ?? ['glibc']).includes('glibc');
  return optional === true && !isOurs;
}
const elsewhere = /^(git|github:|https?:|file:|link:|[\w-]+\/[\w-]+(#|$))/;

/** Returns one message for each problem with the packages in a lock file. */
function problemsOf(packages: Record<string, Package>): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const found: string[] = [];
    const requested = { ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies };
    for (const [name, range] of Object.entries(requested)) {
      if (elsewhere.test(range)) found.push(`${path || 'we'} want ${name} from ${range}`);
    }
    if (path === '') return found;
    if (entry.link) found.push(`${path} is a link`);
    if (entry.resolved && !/^https:\/\/registry\.npmjs\.org\//.test(entry.resolved)) {
      found.push(`${path} comes from ${entry.resolved}`);
    }
    if (!entry.inBundle && !isForOthers(entry) && !/^sha512-/.test(entry.integrity ?? '')) {
      found.push(`${path} has no integrity`);
    }
    if (entry.hasInstallScript && !isForOthers(entry) && !(nameOf(path) in manifest.allowScripts)) {
      found.push(`${path} runs a script when it is installed`);
    }
    return found;
  });
}

const { packages } = lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

test('every package comes from the registry with its integrity, and only allowed packages run an install script', () => {
  expect(Object.keys(packages).length).toBeGreaterThan(300);
  expect(problemsOf(packages)).toEqual([]);
});

test('package.json pins the exact version of each package', () => {
  const { dependencies, devDependencies } = manifest;
  const ranges = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(ranges).toEqual([]);
  expect(packages['']).toMatchObject({ dependencies, devDependencies });
});

test.each<[string, Package]>([
  ['node_modules/a has no integrity', { version: '1.0.0' }],
  ['node_modules/a is a link', { link: true, integrity: 'sha512-x' }],
  ['node_modules/a comes from git+ssh://x', { resolved: 'git+ssh://x', integrity: 'sha512-x' }],
  ['node_modules/a want b from github:x/b', { integrity: 'sha512-x', dependencies: { b: 'github:x/b' } }],
  ['node_modules/a runs a script when it is installed', { integrity: 'sha512-x', hasInstallScript: true }],
  ['node_modules/a has no integrity', { optional: true, os: ['linux'], cpu: ['x64'] }],
])('the check of the lock file reports that %s', (problem, entry) => {
  expect(problemsOf({ 'node_modules/a': entry })).toEqual([problem]);
});
