import { z } from 'zod';

/** A part of the document: a JSON object. */
export type Json = { [key: string]: unknown };
/** The names under which schemas stand in the document; a schema without a name is written out where it is used. */
export type SchemaNames = ReturnType<typeof schemaNames>;
export type Direction = 'input' | 'output';

const MARK = /^(input|output):(.+)$/;

/** An empty registry of names. */
export function schemaNames() {
  return z.registry<{ id: string }>();
}

/** What a schema says of its own form in JSON Schema, where that cannot be told from its checks. */
function ownForm(schema: unknown): object | undefined {
  const form = schema instanceof z.ZodType ? z.globalRegistry.get(schema)?.json : undefined;
  return typeof form === 'object' && form !== null ? form : undefined;
}

/** Leaves out what only makes a schema longer, and lets an answer gain members in a later version. */
function tidy(json: Json, schema: unknown): void {
  const form = ownForm(schema);
  if (form) {
    for (const key of Object.keys(json)) delete json[key];
    Object.assign(json, form);
    return;
  }
  const description = schema instanceof z.ZodType ? z.globalRegistry.get(schema)?.description : undefined;
  if (description) json.description = description;
  if (json.format !== undefined) delete json.pattern;
  if (json.format === 'binary') delete json.contentEncoding;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (JSON.stringify(json.propertyNames) === '{"type":"string"}') delete json.propertyNames;
  if (schema instanceof z.ZodObject && !schema._zod.def.catchall) delete json.additionalProperties;
}

/** A deep copy in which each `$ref` is what `to` makes of it. */
function withRefs<Value>(value: Value, to: (ref: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    key === '$ref' && typeof inner === 'string' ? to(inner) : inner,
  );
}

/** The names that need two schemas, because what is sent and what is answered differ, in themselves or in what they hold. */
function differing(schemas: Record<Direction, Map<string, Json>>): Set<string> {
  const found = new Set<string>();
  const plain = (json: Json | undefined) =>
    JSON.stringify(withRefs(json ?? null, (ref) => ref.replace(MARK, '$2')));
  for (let grown = true; grown; ) {
    grown = false;
    for (const [name, json] of schemas.input) {
      if (found.has(name) || !schemas.output.has(name)) continue;
      let holds = false;
      withRefs(json, (ref) => {
        holds ||= found.has(ref.replace(MARK, '$2'));
        return ref;
      });
      if (!holds && plain(json) === plain(schemas.output.get(name))) continue;
      found.add(name);
      grown = true;
    }
  }
  return found;
}

/**
 * Collects schemas while a document is put together. `add` gives a schema's JSON Schema in one direction (what a client
 * may send, or what it gets), with marks for the named ones; `finish` puts the named ones below `components.schemas`
 * and turns the marks into references. A named schema whose directions differ stands there twice, once as `…Input`.
 */
export function collectSchemas(names: SchemaNames) {
  const schemas = { input: new Map<string, Json>(), output: new Map<string, Json>() };
  return {
    add(schema: z.ZodType, io: Direction): Json {
      const { $defs = {}, ...json }: Json = z.toJSONSchema(schema, {
        io,
        metadata: names,
        override: ({ zodSchema, jsonSchema }) => tidy(jsonSchema as Json, zodSchema),
      });
      delete json.$schema;
      const marked = <Value>(value: Value) => withRefs(value, (ref) => ref.replace(/^#\/\$defs\//, `${io}:`));
      for (const [name, definition] of Object.entries($defs as Record<string, Json>)) {
        schemas[io].set(name, marked(definition));
      }
      return marked(json);
    },
    finish<Document extends Json>(document: Document): Document & { components: Json } {
      const twice = differing(schemas);
      const nameOf = (io: string, name: string) =>
        io === 'input' && twice.has(name) ? `${name}Input` : name;
      const all = (['output', 'input'] as const).flatMap((io) =>
        [...schemas[io]].map(([name, json]) => [nameOf(io, name), json] as const),
      );
      const components = {
        ...(document.components as Json | undefined),
        schemas: Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))),
      };
      return withRefs({ ...document, components }, (ref) =>
        ref.replace(MARK, (_, io: string, name: string) => `#/components/schemas/${nameOf(io, name)}`),
      );
    },
  };
}
export type SchemaCollection = ReturnType<typeof collectSchemas>;
