import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '@/tests/setup/provided';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Returns the URL fragment (JSON pointer) of a position in the document. */
export function pointer(...keys: string[]): string {
  const escaped = keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `#/${escaped.join('/')}`;
}

/** Returns the part of the document that a URL fragment (JSON pointer) refers to, or undefined if there is none. */
export function partAt(document: OpenApi, position: string): unknown {
  return position
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), document);
}

/** Returns a copy in which object schemas reject undeclared properties, unless they set `additionalProperties`. */
function closed<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    isObject(inner) && isObject(inner.properties) && !('$ref' in inner) && !('additionalProperties' in inner)
      ? { ...inner, additionalProperties: false }
      : inner,
  );
}

/**
 * Returns a function that takes the JSON pointer of a schema in the document and returns its validator. With `strict`,
 * validators reject properties that a schema does not declare, unless it sets `additionalProperties`.
 */
export function documentSchemas(document: OpenApi, { strict }: { strict: boolean }) {
  // `strictTypes` would reject a reference next to a keyword that requires a type, because a reference has none.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: false, formats: { binary: true } });
  addFormats.default(ajv);
  for (const keyword of ['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components', 'example'])
    ajv.addKeyword(keyword);
  ajv.addSchema(strict ? closed(document) : document, 'api');
  // Keyed by schema text, so that each schema is compiled once. Most error responses share a schema, and compiling a
  // schema takes milliseconds.
  const cache = new Map<string, ValidateFunction>();
  return (place: string): ValidateFunction => {
    const schema = JSON.stringify(partAt(document, place));
    const validate = cache.get(schema) ?? ajv.compile({ $ref: `api${place}` });
    cache.set(schema, validate);
    return validate;
  };
}
