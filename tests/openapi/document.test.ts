import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildDocument } from '@/app/openapi/document';
import { problems } from '@/lib/errors/problem';
import { accessTable } from '@/tests/app/support/access-table';
import { loadRoute, routes } from '@/tests/app/support/route-files';
import { documentSchemas, partAt, pointer } from '@/tests/openapi/support/schemas';
import type { OpenApi, Operation } from '@/tests/setup/provided';

// The document as clients receive it.
const settings = { appUrl: 'https://atelier.test', supabaseUrl: 'https://abc.supabase.test' };
const document: OpenApi = JSON.parse(JSON.stringify(await buildDocument(settings)));
const schema = documentSchemas(document, { strict: false });
const strictSchema = documentSchemas(document, { strict: true });

type Place = { name: string; keys: string[]; path: string | null; method: string; operation: Operation };
const places: Place[] = [
  ...Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      return {
        name: `${method.toUpperCase()} ${path}`,
        keys: ['paths', path, method],
        path,
        method,
        operation,
      };
    }),
  ),
  ...Object.entries(document.webhooks).map(([name, { post }]) => {
    return {
      name: `webhook ${name}`,
      keys: ['webhooks', name, 'post'],
      path: null,
      method: 'post',
      operation: post,
    };
  }),
];

/** Collects the values of all members with this name anywhere in the document. */
function everywhere(name: string): unknown[] {
  const found: unknown[] = [];
  JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === name) found.push(value);
    return value;
  });
  return found;
}

const at = (position: string) => partAt(document, position);

type Json = { [key: string]: unknown };
type Field = { path: string; required: boolean; property: Json };

/** Returns the fields of a schema and of the schemas in it. Each named schema is visited once per call. */
function fieldsIn(given: object, path: string, seen = new Set<string>()): Field[] {
  const { $ref, properties, required = [], items, anyOf = [], oneOf = [] } = given as Json;
  if (typeof $ref === 'string') {
    if (seen.has($ref)) return [];
    seen.add($ref);
    return fieldsIn(at($ref) as object, $ref, seen);
  }
  const own = Object.entries((properties ?? {}) as Record<string, Json>).map(([name, property]) => {
    return { path: `${path}.${name}`, required: (required as string[]).includes(name), property };
  });
  const inner = [...own.map(({ property }) => property), items, ...(anyOf as Json[]), ...(oneOf as Json[])];
  return [...own, ...inner.flatMap((each) => (each ? fieldsIn(each as object, path, seen) : []))];
}

function acceptsNull({ type, anyOf }: Json): boolean {
  const types = [type, ...((anyOf ?? []) as Json[]).map((form) => form.type)].flat();
  return types.includes('null');
}

type Media = { media: string; place: string; example: unknown; sent: boolean };
/** Returns the bodies of an operation's request and responses. */
function bodiesOf({ keys, operation }: Place): Media[] {
  const sent = Object.entries(operation.requestBody?.content ?? {}).map(([media, { example }]) => {
    return { media, example, sent: true, place: pointer(...keys, 'requestBody', 'content', media, 'schema') };
  });
  const responded = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([media, { example }]) => {
      const place = pointer(...keys, 'responses', status, 'content', media, 'schema');
      return { media, example, sent: false, place };
    }),
  );
  return [...sent, ...responded];
}

describe('the OpenAPI document', () => {
  test('the document has every route file and every method, and no other', async () => {
    const served: string[] = [];
    for (const route of routes) {
      // A catch-all route has no single path to document.
      if (route.includes('[...')) continue;
      const path = `/api/${route.replace(/\[(.+?)\]/g, '{$1}')}`;
      for (const [method, handler] of Object.entries(await loadRoute(route))) {
        if (handler.facts) served.push(`${method} ${path}`);
      }
    }
    const documented = places.filter(({ path }) => path).map(({ name }) => name);
    expect(documented.sort()).toEqual(served.sort());
  });

  test('the document lists Idempotency-Key for every route that uses one, and for no other', async () => {
    for (const route of routes) {
      const heeds = /\bidempotency\b/.test(readFileSync(`app/api/${route}/route.ts`, 'utf8'));
      const documented = Object.values(await loadRoute(route)).some(({ facts }) => facts?.idempotent);
      expect(documented, route).toBe(heeds);
    }
  });

  test('the document is OpenAPI 3.1, all its references resolve, and every schema is used', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    const refs = everywhere('$ref').map(String);
    expect(refs.length).toBeGreaterThan(100);
    for (const ref of refs) expect(at(ref), ref).toBeTypeOf('object');
    for (const name of Object.keys(document.components.schemas)) {
      expect(refs, name).toContain(`#/components/schemas/${name}`);
    }
    // No markers or temporary names are left over from the generation.
    expect(JSON.stringify(document)).not.toMatch(/__schema|"\$defs"|"\$schema"|(input|output):[A-Z]/);
  });

  test('every operation has a unique id, and tags and security schemes that are declared', () => {
    const ids = places.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    expect(new Set(tags).size).toBe(tags.length);
    for (const { operation } of places) {
      expect(tags).toContain(operation.tags[0]);
      for (const name of operation.security.flatMap(Object.keys)) {
        expect(Object.keys(document.components.securitySchemes)).toContain(name);
      }
    }
  });

  test('every operation requires the credentials that the access table names', () => {
    const schemes = { 'spec-workflow': 'specSecret', 'image-workflow': 'imageSecret', cron: 'cronSecret' };
    for (const { route, method, access } of accessTable) {
      if (route.includes('[...')) continue;
      const path = `/api/${route.replace(/\[(.+?)\]/g, '{$1}')}`;
      const names = document.paths[path]?.[method.toLowerCase()]?.security.flatMap(Object.keys);
      const machine = schemes[access as keyof typeof schemes];
      const people = access.endsWith('session') ? ['session', 'token'] : ['session', 'token', 'accessToken'];
      const wanted = access === 'public' ? [] : machine ? [machine] : people;
      expect(names, `${method} ${route}`).toEqual(wanted);
    }
  });

  test('the document names the server and its session cookie', () => {
    expect(document).toMatchObject({
      servers: [{ url: settings.appUrl }],
      components: { securitySchemes: { session: { in: 'cookie', name: 'sb-abc-auth-token' } } },
    });
  });

  test('a field of a request is required, or can be null in JSON, and none has a default that would make it required', () => {
    let count = 0;
    for (const place of places) {
      for (const [media, { schema: body }] of Object.entries(place.operation.requestBody?.content ?? {})) {
        if (place.path === null) continue;
        for (const { path, required, property } of fieldsIn(body, place.name)) {
          count += 1;
          expect(property, path).not.toHaveProperty('default');
          if (!required && media === 'application/json') expect(acceptsNull(property), path).toBe(true);
        }
      }
    }
    expect(count).toBeGreaterThan(300);
  });

  test.each<[string, string, unknown[], unknown[]]>([
    ['NewExport', 'pages', [[{ id: 'p', elements: [] }]], [[]]],
    ['ImageOptionsInput', 'size', ['1024x768', ' 64 × 64', '16384X16'], ['1024', '64x', '0x64', '9x64']],
    ['ImageOptionsInput', 'seed', [1.5, -7, 0], ['7']],
    ['SavedDocument', 'language', ['en', 'pt-BR'], ['english language', '']],
    ['ImageCallbackOutputInput', 'meta', [{ a: { b: [1, null] } }, {}], [[], 'x']],
    ['CallbackReceived', 'reason', ['duplicate', 'too_often'], ['other']],
    ['CallbackReceived', 'status', ['pending', 'canceled'], ['other']],
  ])('the document is as fine as the server for %s.%s', (name, field, right, wrong) => {
    const schemas = document.components.schemas;
    const validate = schema(
      pointer(
        'components',
        'schemas',
        schemas[name] ? name : name.replace(/Input$/, ''),
        'properties',
        field,
      ),
    );
    for (const value of right) expect(validate(value), JSON.stringify(value)).toBe(true);
    for (const value of wrong) expect(validate(value), JSON.stringify(value)).toBe(false);
  });

  test.each<[string, string, string[], string[]]>([
    ['/api/matlib/search', 'q', ['x'.repeat(100)], ['x'.repeat(101)]],
    ['/api/matlib/search', 'categories', ['wood, Floor'], ['x'.repeat(801)]],
    ['/api/matlib/files/{id}', 'resolutions', ['1k,2K', 'all', ' 1k , 2k'], ['1', '1k;2k']],
    ['/api/matlib/files/{id}', 'formats', ['jpg,png'], ['jpg/png']],
    ['/api/projects', 'cursor', ['WyJhIl0='], ['é', 'x'.repeat(4001)]],
  ])('the document is as fine as the server for the parameter of %s: %s', (path, name, right, wrong) => {
    const parameters = document.paths[path]?.get?.parameters ?? [];
    const index = parameters.findIndex((parameter) => 'name' in parameter && parameter.name === name);
    const validate = schema(pointer('paths', path, 'get', 'parameters', String(index), 'schema'));
    for (const value of right) expect(validate(value), value).toBe(true);
    for (const value of wrong) expect(validate(value), value).toBe(false);
  });

  test('the OpenAPI document states the limits that apply to all pages of a document together', () => {
    for (const name of ['SavedDocument', 'NewExport']) {
      expect(at(`#/components/schemas/${name}/properties/pages`)).toMatchObject({
        description: expect.stringMatching(
          /^Over all pages at most 100,000 table cells, .* 2,000,000 characters of text\.$/,
        ),
      });
    }
  });

  test('the document lists every error code except method_not_allowed', () => {
    const documented = new Set(
      places
        .filter(({ path }) => path)
        .flatMap(({ operation }) => Object.values(operation.responses))
        .flatMap(({ content }) => {
          const schema = content?.['application/problem+json']?.schema as
            | { properties: { code: { enum: string[] } } }
            | undefined;
          return schema?.properties.code.enum ?? [];
        }),
    );
    expect([...documented].sort()).toEqual(
      Object.keys(problems)
        .filter((code) => code !== 'method_not_allowed')
        .sort(),
    );
  });
});

describe.each(places)('$name', (place) => {
  const { path, operation } = place;

  test(`${place.name} declares the parameters of its path, each once, and only schemas that compile`, () => {
    const inPath = [...(path?.matchAll(/\{(.+?)\}/g) ?? [])].map((match) => match[1]);
    const own = (operation.parameters ?? []).flatMap((parameter, index) =>
      'name' in parameter ? [{ ...parameter, index }] : [],
    );
    expect(own.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath);
    const keys = own.map(({ in: where, name }) => `${where} ${name}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { in: where, required, index } of own) {
      if (where === 'path') expect(required).toBe(true);
      expect(schema(pointer(...place.keys, 'parameters', String(index), 'schema'))).toBeTypeOf('function');
    }
    for (const body of bodiesOf(place)) expect(schema(body.place), body.place).toBeTypeOf('function');
  });

  test(`${place.name} has named schemas for JSON bodies, and valid examples`, () => {
    for (const { media, place: where, example, sent } of bodiesOf(place)) {
      if (
        !operation.tags.includes('Service') &&
        !['text/html', 'text/csv', 'application/zip', 'image/webp', 'font/sfnt'].includes(media)
      ) {
        expect(at(where), where).toHaveProperty('$ref');
      }
      if (example === undefined) continue;
      const validate = (sent ? schema : strictSchema)(where);
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});

test.each([
  'getAdminBrands',
  'postAdminBrands',
  'getAdminAreas',
  'postAdminAreas',
  'postAdminSpecsUpload',
  'postAdminSpecsCallback',
  'postAdminSpecsRetry',
  'postImageGenJobs',
  'getImageGenJobs',
  'postImageGenMessages',
  'getImageGenJobsByJobIdMessages',
  'postImageGenCallback',
  'postExportPdf',
  'getExportStatusByJobId',
  'getMatlibSearch',
  'getMatlibCategories',
  'getMatlibInfoById',
  'getMatlibFilesById',
  'specTrigger',
  'imageTrigger',
])('%s, which is documented for our users, has examples of its request and response', (id) => {
  const place = places.find(({ operation }) => operation.operationId === id);
  expect(place).toBeDefined();
  const json = (place ? bodiesOf(place) : []).filter(({ media }) => media === 'application/json');
  expect(json.length).toBeGreaterThan(0);
  for (const { example, place } of json) expect(example, place).toBeDefined();
});
