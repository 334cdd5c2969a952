import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '@/tests/setup/provided';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A position in the document as a URL fragment (JSON pointer). */
export function pointer(...keys: string[]): string {
  const escaped = keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `#/${escaped.join('/')}`;
}

/** A copy in which no object may have unnamed members; explicitly open objects stay open. */
function closed<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    isObject(inner) && isObject(inner.properties) && !('$ref' in inner) && !('additionalProperties' in inner)
      ? { ...inner, additionalProperties: false }
      : inner,
  );
}

/**
 * Returns a function that returns the validator for any schema of the document, by its place. With `strict` a
 * response may have no member that the document does not name, so that nothing is returned undocumented.
 */
export function documentSchemas(document: OpenApi, { strict }: { strict: boolean }) {
  // A reference beside other keywords has no type of its own.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: false, formats: { binary: true } });
  addFormats.default(ajv);
  for (const keyword of ['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components', 'example'])
    ajv.addKeyword(keyword);
  ajv.addSchema(strict ? closed(document) : document, 'api');
  const known = new Map<string, ValidateFunction>();
  return (place: string): ValidateFunction => {
    const validate = known.get(place) ?? ajv.compile({ $ref: `api${place}` });
    known.set(place, validate);
    return validate;
  };
}
