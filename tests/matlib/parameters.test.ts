import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { HttpError } from '@/lib/errors/problem';
import { parseInput, singleParams } from '@/lib/http/parse';
import {
  assetParams,
  assetTypes,
  categoriesQuery,
  filesQuery,
  searchQuery,
  searchSorts,
  swatchNames,
} from '@/lib/matlib/schema';
import { searchItems } from '@/lib/matlib/search/search-items';
import { createTextIndex, type TextIndex } from '@/lib/matlib/search/text-index';
import { anyText } from '@/tests/setup/any-text';

const parse = (query: string) => parseInput(searchQuery, singleParams(new URLSearchParams(query)));

test('missing parameters have their documented defaults', () => {
  expect(parse('')).toEqual({ q: '', type: 'textures', categories: [], limit: 24, offset: 0, facets: false });
  expect(parse('q=%20oak%20&categories=Wood,wood,,Floor&unknown=1')).toMatchObject({
    q: 'oak',
    categories: ['wood', 'floor'],
  });
  for (const limit of [5000, '9'.repeat(20), '9'.repeat(100)])
    expect(parse(`limit=${limit}`).limit).toBe(100);
  expect(parse(`q=${'é'.repeat(100)}`).q).toHaveLength(100);
});

test('a parameter without a value counts as missing', () => {
  const names = ['q', 'type', 'categories', 'color', 'sort', 'limit', 'offset', 'facets'];
  expect(parse(names.map((name) => `${name}=`).join('&'))).toEqual(parse(''));
});

test.each([
  'type=constructor',
  'type=__proto__',
  'type=all',
  'type=Textures',
  'limit=-50',
  'limit=0',
  'limit=1e3',
  'limit=abc',
  'limit=1.5',
  'limit=%2B5',
  'limit=0x10',
  'offset=-1',
  'offset=10001',
  'offset=1e3',
  'sort=random',
  'color=ff0000',
  'color=toString',
  'facets=yes',
  `q=${'x'.repeat(101)}`,
  'q=%00',
  'q=a&q=b',
  'limit=5&limit=5',
  `categories=${Array.from({ length: 11 }, (_, i) => `c${i}`).join()}`,
  `categories=${'x'.repeat(65)}`,
  `categories=${'x'.repeat(10_000)}`,
])('%s is refused with a message that names the parameter', (query) => {
  const refused = () => parse(query);
  expect(refused).toThrow(HttpError);
  expect(refused).toThrow(expect.objectContaining({ status: 400, code: 'invalid_request' }));
  expect(refused).toThrow(new RegExp(query.split('=')[0] ?? ''));
});

test.each([
  'resolutions=huge',
  'resolutions=1k;2k',
  'formats=../x',
  `formats=${Array.from({ length: 11 }, (_, i) => `f${i}`).join()}`,
])('the files query %s is refused', (query) => {
  expect(() => parseInput(filesQuery, singleParams(new URLSearchParams(query)))).toThrow(HttpError);
});

test.each(['', 'a b', 'ä', '../x', 'x'.repeat(51), 'a%2Fb', 'a.b', '\0'])('the id %j is refused', (id) => {
  expect(() => parseInput(assetParams, { id })).toThrow(HttpError);
});

let index: TextIndex;
beforeAll(async () => {
  index = await createTextIndex([]);
});

const anyValue = fc.oneof(
  anyText({ maxLength: 300 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom('', '1', '-1', '1e3'),
);
const anyQuery = fc.dictionary(
  fc.constantFrom('q', 'type', 'categories', 'limit', 'offset', 'sort', 'color', 'facets', 'in', 'x'),
  fc.oneof(anyValue, fc.constantFrom<string>(...assetTypes, ...searchSorts, ...swatchNames)),
);

test('any query is either refused with 400, or is within all limits and can be searched', () => {
  fc.assert(
    fc.property(anyQuery, (params) => {
      try {
        const query = parseInput(searchQuery, singleParams(new URLSearchParams(params)));
        expect([...query.q].length).toBeLessThanOrEqual(100);
        expect(query.limit).toBeGreaterThanOrEqual(1);
        expect(query.limit).toBeLessThanOrEqual(100);
        expect(query.offset).toBeGreaterThanOrEqual(0);
        expect(query.offset).toBeLessThanOrEqual(10_000);
        expect(query.categories.length).toBeLessThanOrEqual(10);
        expect(assetTypes).toContain(query.type);
        expect(searchItems({ items: new Map(), index }, query, Date.now()).total).toBe(0);
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        expect(error.status).toBe(400);
        expect(error.message.length).toBeLessThan(300);
      }
      const other = categoriesQuery.safeParse(params);
      if (other.success) expect(other.data.in.length).toBeLessThanOrEqual(10);
    }),
    { numRuns: 2_000 },
  );
});
