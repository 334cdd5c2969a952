import fc from 'fast-check';
import { anyText } from '@/tests/setup/any-text';

type Json = Record<string, unknown>;

const wrongValues = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\u202eabc',
  ),
  fc.constantFrom(
    'x'.repeat(121),
    'x'.repeat(4001),
    'é'.repeat(500),
    '👩‍🎨'.repeat(200),
    'x'.repeat(100_000),
  ),
  fc.constantFrom(
    '00000000-0000-0000-0000-00000000000g',
    "'; drop table brands; --",
    '{{7*7}}',
    '../../etc/passwd',
  ),
  anyText(),
  fc.array(fc.jsonValue(), { maxLength: 5 }),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 }),
  fc.double({ noNaN: true }),
);

const oddKeys = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    '\u0000',
    'id',
    'run',
  ),
  anyText({ maxLength: 20 }),
);

/**
 * Returns a copy of `value` with a key set the way JSON.parse sets it. Assigning `__proto__` would set the prototype
 * instead.
 */
const set = (value: Json, key: string, inner: unknown): Json =>
  Object.fromEntries([...Object.entries(value).filter(([name]) => name !== key), [key, inner]]);

/**
 * Generates request bodies from a valid one. Each body has a random value, a missing or unexpected field, or an
 * entirely different shape. Most of the bodies are invalid.
 */
export function wrongBodies(right: Json): fc.Arbitrary<unknown> {
  const field = fc.constantFrom(...Object.keys(right));
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(field, wrongValues).map(([key, value]) => set(right, key, value)) },
    {
      weight: 1,
      arbitrary: field.map((key) => Object.fromEntries(Object.entries(right).filter(([k]) => k !== key))),
    },
    { weight: 2, arbitrary: fc.tuple(oddKeys, fc.jsonValue()).map(([key, value]) => set(right, key, value)) },
    { weight: 1, arbitrary: field.map((key) => set(right, key, { [key]: right[key] })) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], [right], 'text', 7, true, {}) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

/**
 * Generates text that the product must reject as JSON: a malformed copy of a valid body, invalid characters or
 * encoding, or nesting deeper than `maxDepth`.
 */
export function brokenJson(right: Json, maxDepth = 32): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const text = JSON.stringify(right);
  const deep = (open: string, close: string) =>
    fc.constantFrom(maxDepth + 1, 1_000, 20_000).map((n) => `{"x":${open.repeat(n)}1${close.repeat(n)}}`);
  return fc.oneof(
    fc.integer({ min: 0, max: text.length - 1 }).map((n) => text.slice(0, n)),
    fc.constantFrom(
      `${text}${text}`,
      `${text},`,
      text.replaceAll('"', "'"),
      `//\n${text}`,
      `${text}\u0000`,
      'NaN',
    ),
    fc.constantFrom('{"x":"\\ud800"}', '{"x":"\\u0000"}', '{"\\u0000":1}', '{"x":{"y":["\\udfff"]}}'),
    fc
      .constantFrom([0xed, 0xa0, 0x80], [0xff, 0xfe, 0x7b], [0xc0, 0x80], [0x7b, 0x22, 0xf8])
      .map((b) => Buffer.from(b)),
    deep('[', ']'),
    deep('{"x":', '}'),
  );
}

/** Generates values of a query parameter, as written in the URL. */
export const rawParameters: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-5',
    '1e3',
    '007',
    '0x10',
    '1.0',
    ' 1',
    '%2B1',
    '１２',
    '9'.repeat(30),
    'NaN',
    'null',
  ),
  fc.constantFrom(
    '%00',
    'a%00b',
    '%ED%A0%80',
    '%FF',
    '%',
    '%zz',
    '%F0%9F',
    'x'.repeat(201),
    '*',
    '%25',
    '_',
    '%5C',
  ),
  fc.constantFrom(
    'pending,failed',
    '"',
    "'",
    '(',
    ')',
    'and(id.gt.0)',
    'eq.pending',
    'null)',
    '__proto__',
    '[]',
  ),
  anyText({ maxLength: 60 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
