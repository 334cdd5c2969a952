import { z } from 'zod';

/** The fields of a schema definition that hold inner schemas. */
type Inner = { innerType: z.ZodType; in: z.ZodType; getter: () => z.ZodType; element: z.ZodType };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function dropInObject(schema: z.ZodObject, value: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | null = null;
  for (const [key, field] of Object.entries(schema.shape)) {
    if (!Object.hasOwn(value, key)) continue;
    const part = value[key];
    const isEmpty = part === null || part === '';
    if (isEmpty && field._zod.optin !== undefined) {
      copy ??= { ...value };
      delete copy[key];
      continue;
    }
    const kept = dropEmpty(field as z.ZodType, part);
    if (kept === part) continue;
    copy ??= { ...value };
    copy[key] = kept;
  }
  return copy ?? value;
}

/** Returns the member of a discriminated union that an object's discriminator selects. */
function memberOf({ def }: z.ZodDiscriminatedUnion, value: Record<string, unknown>): z.ZodType | undefined {
  const name = def.discriminator;
  const kind = value[name] as z.core.util.Primitive;
  return def.options.find((option) => option._zod.propValues?.[name]?.has(kind)) as z.ZodType | undefined;
}

/**
 * Removes optional fields whose value is `null` or `''`, at any depth, because some clients send these to mean
 * "nothing". Leaves records, plain unions and arbitrary JSON as they are. Returns the same object if nothing is
 * removed.
 */
export function dropEmpty(schema: z.ZodType, value: unknown): unknown {
  const def = schema.def as unknown as Inner;
  switch (schema.def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return dropEmpty(def.innerType, value);
    case 'pipe':
      return dropEmpty(def.in, value);
    case 'lazy':
      return dropEmpty(def.getter(), value);
    case 'object':
      return isObject(value) ? dropInObject(schema as z.ZodObject, value) : value;
    case 'array': {
      if (!Array.isArray(value)) return value;
      const kept = value.map((item) => dropEmpty(def.element, item));
      return kept.some((item, i) => item !== value[i]) ? kept : value;
    }
    case 'union': {
      const isDiscriminated = schema instanceof z.ZodDiscriminatedUnion;
      const member = isDiscriminated && isObject(value) ? memberOf(schema, value) : undefined;
      return member ? dropEmpty(member, value) : value;
    }
    default:
      return value;
  }
}
