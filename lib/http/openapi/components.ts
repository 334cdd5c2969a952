import { z } from 'zod';

/** A JSON object, such as a part of the OpenAPI document. */
export type Json = { [key: string]: unknown };
/** The names of schemas in the OpenAPI document. A schema without a name is written inline. */
export type SchemaNames = ReturnType<typeof schemaNames>;
/** What a schema describes. */
export type Use = 'parameter' | 'form' | 'body' | 'response';
type Direction = 'input' | 'output';

const MARK = /^(input|output):(.+)$/;
/** A temporary keyword for the names of an object's optional fields. */
const OPTIONAL = 'x-optional';

export function schemaNames() {
  return z.registry<{ id: string }>();
}

/**
 * Returns the handwritten JSON Schema in a schema's metadata, if any. It is used where the JSON Schema that Zod
 * generates is wrong or missing.
 */
function ownForm(schema: unknown): object | undefined {
  const form = schema instanceof z.ZodType ? z.globalRegistry.get(schema)?.json : undefined;
  return typeof form === 'object' && form !== null ? form : undefined;
}

/**
 * Applies a schema's metadata to its JSON Schema, removes redundant keywords, and allows responses to gain members in
 * later versions.
 */
function tidy(json: Json, schema: unknown, use: Use): void {
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
  if (!(schema instanceof z.ZodObject)) return;
  if (!schema._zod.def.catchall) delete json.additionalProperties;
  // A reference to a named schema has no properties of its own.
  if ((use !== 'body' && use !== 'form') || !json.properties) return;
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  json[OPTIONAL] = fields.flatMap(([name, field]) => (field._zod.optin === undefined ? [] : name));
}

const isNull = (json: unknown) => JSON.stringify(json) === '{"type":"null"}';

/** Returns whether a JSON Schema accepts null, as far as its own keywords say. */
function acceptsNull({ type, anyOf, ...rest }: Json): boolean {
  if (Array.isArray(anyOf)) return anyOf.some(isNull);
  return Array.isArray(type) ? type.includes('null') : type === undefined && Object.keys(rest).length === 0;
}

/**
 * Returns the schema of an optional field in a request. In a JSON body, the field can be null. Its default becomes part
 * of the description, because generated clients would require a field that has the keyword `default`.
 */
function optionalField(json: Json, use: Use): Json {
  const { default: value, description, ...rest } = json;
  const text = JSON.stringify(value ?? null);
  const words = [
    ...(typeof description === 'string' ? [description] : []),
    ...(['null', '""', '{}', '[]'].includes(text) ? [] : [`Default: \`${text.replaceAll('"', '')}\`.`]),
  ];
  return {
    ...(words.length > 0 ? { description: words.join(' ') } : {}),
    ...(use === 'form' || acceptsNull(rest) ? rest : { anyOf: [rest, { type: 'null' }] }),
  };
}

/** Returns a deep copy in which optional fields, whose names are under `OPTIONAL`, have their schema for requests. */
function withOptional(json: Json, use: Use): Json {
  return JSON.parse(JSON.stringify(json), (_, inner) => {
    if (!inner?.[OPTIONAL]) return inner;
    const { [OPTIONAL]: names, ...rest } = inner;
    for (const name of names) rest.properties[name] = optionalField(rest.properties[name], use);
    return rest;
  });
}

/** Returns a deep copy with each `$ref` replaced by the result of `to`. */
function withRefs<Value>(value: Value, to: (ref: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    key === '$ref' && typeof inner === 'string' ? to(inner) : inner,
  );
}

/** Returns the names of schemas whose request and response forms differ, directly or in a schema that they refer to. */
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
 * Collects schemas while an OpenAPI document is built. `add` returns the JSON Schema of a Zod schema for one use, with
 * placeholders for named schemas. `finish` puts the named schemas under
 * `components.schemas` and turns the placeholders into references. If a named schema differs between the directions,
 * `finish` adds both forms, and the name of the request form gets the suffix `Input`.
 */
export function collectSchemas(names: SchemaNames) {
  const schemas = { input: new Map<string, Json>(), output: new Map<string, Json>() };
  return {
    add(schema: z.ZodType, use: Use): Json {
      const io: Direction = use === 'response' ? 'output' : 'input';
      const generated = z.toJSONSchema(schema, {
        io,
        metadata: names,
        override: ({ zodSchema, jsonSchema }) => tidy(jsonSchema as Json, zodSchema, use),
      });
      const { $defs = {}, ...json } = withOptional(generated, use);
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
