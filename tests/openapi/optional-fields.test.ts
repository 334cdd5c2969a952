import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkInput } from '@/lib/http/parse';
import { accessTable } from '@/tests/app/support/access-table';
import { loadRoute } from '@/tests/app/support/route-files';

type Json = { [key: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes a value of roughly the shape that a schema describes, including optional fields. Its leaves may be invalid. */
function sample(schema: Json, root: Json): unknown {
  const { $ref, anyOf, oneOf, properties, items, enum: values, type } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    return sample((root.$defs as Record<string, Json>)[name] ?? {}, root);
  }
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (Array.isArray(values)) return values[0];
  const forms = (anyOf ?? oneOf) as Json[] | undefined;
  if (forms) return sample(forms.find(({ type }) => type !== 'null') ?? {}, root);
  if (isObject(properties)) {
    return Object.fromEntries(
      Object.entries(properties).map(([key, inner]) => [key, sample(inner as Json, root)]),
    );
  }
  if (type === 'array') return isObject(items) ? [sample(items, root)] : [];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  return schema.format === 'uuid' ? '00000000-0000-4000-8000-000000000001' : 'x';
}

type Place = { path: (string | number)[]; key: string };

/** Finds the fields of a value that are optional according to the JSON Schema. */
function optionalPlaces(schema: Json, root: Json, value: unknown, path: Place['path'] = []): Place[] {
  const { $ref, properties, required = [], items, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    return optionalPlaces((root.$defs as Record<string, Json>)[name] ?? {}, root, value, path);
  }
  const forms = (anyOf ?? oneOf) as Json[] | undefined;
  if (forms) {
    const form = forms.find(({ type }) => type !== 'null');
    return form ? optionalPlaces(form, root, value, path) : [];
  }
  if (isObject(properties) && isObject(value)) {
    return Object.entries(properties).flatMap(([key, inner]) => [
      ...((required as string[]).includes(key) ? [] : [{ path, key }]),
      ...optionalPlaces(inner as Json, root, value[key], [...path, key]),
    ]);
  }
  if (isObject(items) && Array.isArray(value)) {
    return value.flatMap((item, i) => optionalPlaces(items, root, item, [...path, i]));
  }
  return [];
}

/** Returns a copy of the value with one field changed; an undefined `change` removes the field. */
function changed(value: unknown, { path, key }: Place, change: null | '' | undefined): unknown {
  const copy = structuredClone(value);
  let target = copy as Record<PropertyKey, unknown>;
  for (const step of path) target = target[step] as Record<PropertyKey, unknown>;
  if (change === undefined) delete target[key];
  else target[key] = change;
  return copy;
}

const inputs: { name: string; schema: z.ZodType; value: unknown; places: Place[] }[] = [];
for (const { route, method } of accessTable) {
  const { facts } = (await loadRoute(route))[method] ?? {};
  for (const part of ['query', 'body', 'form'] as const) {
    const schema = facts?.[part];
    if (!schema) continue;
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
    const value = sample(json, json);
    inputs.push({
      name: `${part} of ${method} ${route}`,
      schema,
      value,
      places: optionalPlaces(json, json, value),
    });
  }
}

test('the routes have optional fields in bodies, in queries and at any depth', () => {
  const all = inputs.flatMap(({ places }) => places);
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter(({ path }) => path.length > 1).length).toBeGreaterThan(10);
});

test.each(inputs.filter(({ places }) => places.length > 0))(
  'an optional field given as null or "" in the $name counts as absent',
  ({ schema, value, places }) => {
    const outcome = (input: unknown) => {
      const { data, error } = checkInput(schema, input);
      return { data, issues: error?.issues.map(({ path, message }) => [path.join('.'), message]) };
    };
    for (const place of places) {
      const absent = outcome(changed(value, place, undefined));
      for (const empty of [null, ''] as const) {
        expect(outcome(changed(value, place, empty)), place.key).toEqual(absent);
      }
    }
  },
);
