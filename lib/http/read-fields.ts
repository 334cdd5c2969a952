import { z } from 'zod';

/** The fields of a schema definition that hold inner schemas. */
type Inner = {
  innerType: z.ZodType;
  in: z.ZodType;
  getter: () => z.ZodType;
  element: z.ZodType;
  options: z.ZodType[];
};

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field whose name is not known, but nearly the same as that of a known one that the schema has. */
export type Misnamed = { path: PropertyKey[]; meant: string };

/** Longer names are not compared with the known ones, so that messages stay short. */
const MAX_NAME = 100;
const plainName = (name: string) => name.toLowerCase().replace(/\[\d*\]|[_-]/g, '');

/**
 * Renames the fields of an object whose names differ from a known name only in case, underscores, hyphens or brackets,
 * such as `project_id` or `Status[]`. If the object also has the known name itself, the misnamed field is dropped.
 * Returns the same object if nothing is misnamed, and each misnamed field with the name that is meant.
 */
export function withKnownNames(
  given: Fields,
  known: readonly string[],
): { fields: Fields; misnamed: [name: string, meant: string][] } {
  const others = Object.keys(given).filter((name) => !known.includes(name) && name.length <= MAX_NAME);
  if (others.length === 0) return { fields: given, misnamed: [] };
  const byPlainName = new Map(known.map((name) => [plainName(name), name]));
  const misnamed = others.flatMap((name): [string, string][] => {
    const meant = byPlainName.get(plainName(name));
    return meant === undefined ? [] : [[name, meant]];
  });
  if (misnamed.length === 0) return { fields: given, misnamed };
  const fields = { ...given };
  for (const [name, meant] of misnamed) {
    if (!Object.hasOwn(fields, meant)) fields[meant] = given[name];
    delete fields[name];
  }
  return { fields, misnamed };
}

/** Where the reading is, and what it has found so far. */
type Place = { path: PropertyKey[]; misnamed: Misnamed[] };

function readInside(schema: z.ZodType, value: unknown, place: Place, key: PropertyKey): unknown {
  place.path.push(key);
  const read = readValue(schema, value, place);
  place.path.pop();
  return read;
}

function renamed(value: Fields, known: readonly string[], { path, misnamed }: Place): Fields {
  const { fields, misnamed: found } = withKnownNames(value, known);
  for (const [name, meant] of found) misnamed.push({ path: [...path, name], meant });
  return fields;
}

function readObject({ shape }: z.ZodObject, value: Fields, place: Place): Fields {
  const fields = renamed(value, Object.keys(shape), place);
  let copy: Fields | null = null;
  for (const [key, field] of Object.entries(shape)) {
    if (!Object.hasOwn(fields, key)) continue;
    const part = fields[key];
    const isEmpty = part === null || part === '';
    if (isEmpty && field._zod.optin !== undefined) {
      copy ??= { ...fields };
      delete copy[key];
      continue;
    }
    const read = readInside(field as z.ZodType, part, place, key);
    if (read === part) continue;
    copy ??= { ...fields };
    copy[key] = read;
  }
  return copy ?? fields;
}

/** Reads an object as the member of a discriminated union that its discriminator selects. */
function readMember({ def }: z.ZodDiscriminatedUnion, value: Fields, place: Place): Fields {
  const name = def.discriminator;
  const fields = renamed(value, [name], place);
  const kind = fields[name] as z.core.util.Primitive;
  const member = def.options.find((option) => option._zod.propValues?.[name]?.has(kind));
  return member ? (readValue(member as z.ZodType, fields, place) as Fields) : fields;
}

function readValue(schema: z.ZodType, value: unknown, place: Place): unknown {
  const def = schema.def as unknown as Inner;
  switch (schema.def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return readValue(def.innerType, value, place);
    case 'pipe':
      return readValue(def.in, value, place);
    case 'lazy':
      return readValue(def.getter(), value, place);
    case 'object':
      return isObject(value) ? readObject(schema as z.ZodObject, value, place) : value;
    case 'array': {
      if (!Array.isArray(value)) return value;
      const read = value.map((item, index) => readInside(def.element, item, place, index));
      return read.some((item, index) => item !== value[index]) ? read : value;
    }
    case 'union': {
      if (!isObject(value)) return value;
      if (schema instanceof z.ZodDiscriminatedUnion) return readMember(schema, value, place);
      const [member, ...others] = def.options.filter((option) => option instanceof z.ZodObject);
      return member && others.length === 0 ? readObject(member, value, place) : value;
    }
    default:
      return value;
  }
}

/**
 * Prepares part of a request for its schema, at any depth. Removes optional fields whose value is `null` or `''`, because
 * some clients send these to mean "nothing". Gives misnamed fields the name that is meant (see `withKnownNames`), and
 * returns them. Leaves records, arbitrary JSON and unions of several objects as they are. Returns the same value if
 * nothing changes.
 */
export function readFields(schema: z.ZodType, given: unknown): { value: unknown; misnamed: Misnamed[] } {
  const misnamed: Misnamed[] = [];
  return { value: readValue(schema, given, { path: [], misnamed }), misnamed };
}
