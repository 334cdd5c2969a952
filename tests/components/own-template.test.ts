import { expect, test } from 'vitest';
import {
  addTemplate,
  elementsOfTemplate,
  missingFontsOf,
  templateOf,
  withCopiedImages,
} from '@/components/editor/templates/own-template';
import { MAX_MASTERS } from '@/lib/document/masters';
import { projectDocument } from '@/lib/document/schema';
import { templateContent } from '@/lib/export/page-templates/schema';

const shape = { id: 's', type: 'shape', kind: 'rect', x: 100, y: 100, w: 20, h: 10 };
const photo = { id: 'i', type: 'image', x: 0, y: 0, w: 50, h: 50, path: 'images/projects/p/a' };
const letter = {
  id: 't',
  type: 'text',
  x: 0,
  y: 0,
  w: 50,
  h: 50,
  font: 'Studio Serif',
  blocks: [{ type: 'paragraph', runs: [{ text: 'Oak' }] }],
};
const header = { id: 'default', title: 'Default', elements: [{ ...shape, id: 'header' }] };
const documentOf = (given: object) => projectDocument.parse({ version: 1, pages: [], ...given });
const source = documentOf({
  pages: [{ id: 'board', title: 'Board', elements: [shape, photo, letter] }],
  masters: [header, { id: 'unused', title: 'Unused', elements: [{ ...shape, id: 'other' }] }],
});
const [board] = source.pages;
if (!board) throw new Error('The source has a page.');
const template = templateOf(source, board);

function added(...input: Parameters<typeof addTemplate>) {
  const result = addTemplate(...input);
  if ('refused' in result) throw new Error(result.refused);
  return result;
}

test('a template has its page, the master that the page uses, and the paper', () => {
  expect(templateContent.parse(template)).toEqual(template);
  expect(template).toMatchObject({ format: 'A4', pages: [{ id: 'board' }], masters: [{ id: 'default' }] });
  const plain = documentOf({ pages: [board] });
  expect(templateOf(plain, board).masters).toEqual([]);
});

test('a template made from one page of a table that runs over pages has only the rows of that page', () => {
  const frame = { type: 'table', x: 0, y: 0, w: 50, h: 20, columns: [{ label: 'Item' }] };
  const head = { ...frame, id: 'h', flowId: 'f', breaks: [1], rows: [['Sofa'], ['Lamp']] };
  const { pages, ...rest } = documentOf({
    pages: [
      { id: 'one', elements: [head] },
      { id: 'two', elements: [{ ...frame, id: 'c', continues: 'f', rows: [] }] },
    ],
  });
  const [, second] = pages;
  if (!second) throw new Error('The document has two pages.');
  const [copy] = templateOf({ ...rest, pages }, second).pages;
  expect(copy?.elements).toMatchObject([{ rows: [['Lamp']] }]);
  expect(copy?.elements[0]).not.toHaveProperty('continues');
});

test('a template is added after the open page, and its master gets an id that is free', () => {
  const target = documentOf({
    pages: [
      { id: 'a', elements: [] },
      { id: 'b', elements: [] },
    ],
  });
  const { document, pageId, notice } = added(target, template, 'a');
  expect(document.pages.map(({ id }) => id)).toEqual(['a', pageId, 'b']);
  expect(document.masters.map(({ id }) => id)).toEqual(['default', 'default-2']);
  expect(document.pages[1]).toMatchObject({ title: 'Board', masterId: 'default-2' });
  expect(notice).toBeNull();
  expect(projectDocument.safeParse({ ...document, version: 1 }).success).toBe(true);
});

test.each(['default', 'letterhead'])(
  'a template does not restore the deleted master “%s” of other pages',
  (id) => {
    const pages = template.pages.map((page) => ({ ...page, masterId: id }));
    const masters = template.masters.map((master) => ({ ...master, id }));
    const target = documentOf({ pages: [{ id: 'a', elements: [], masterId: id }], masters: [] });
    const { document } = added(target, { ...template, pages, masters }, null);
    expect(document.masters).toMatchObject([{ id: `${id}-2` }]);
    expect(document.pages.map(({ masterId }) => masterId)).toEqual([id, `${id}-2`]);
  },
);

test('the master of a template does not become the default master of later pages', () => {
  const { document } = added(documentOf({ masters: [] }), template, null);
  expect(document.masters).toMatchObject([{ id: 'default-2' }]);
});

test('a template that is added twice adds its master once', () => {
  const once = added(documentOf({}), template, null);
  const twice = added(once.document, template, null);
  expect(twice.document.masters).toEqual(once.document.masters);
  expect(new Set(twice.document.pages.map(({ id }) => id)).size).toBe(2);
  expect(new Set(twice.document.pages.map(({ masterId }) => masterId)).size).toBe(1);
});

test('a page without a printed master uses the default master of the document', () => {
  const plain = templateOf(documentOf({ pages: [board] }), board);
  const { document } = added(documentOf({ masters: [header] }), plain, null);
  expect(document.masters).toHaveLength(1);
  expect(document.pages[0]?.masterId).toBe('default');
});

test('a template is scaled to the paper of the document', () => {
  const { document } = added(documentOf({ format: 'A3' }), template, null);
  expect(document.format).toBe('A3');
  expect(document.pages[0]?.elements[0]?.w).toBeCloseTo(20 * Math.SQRT2, 0);
});

test('a master that does not fit is left out with a notice', () => {
  const masters = Array.from({ length: MAX_MASTERS }, (_, n) => ({ id: `m${n}`, title: '', elements: [] }));
  const { document, notice } = added(documentOf({ masters }), template, null);
  expect(document.masters).toHaveLength(MAX_MASTERS);
  expect(notice).toContain('no room for the master');
});

test('a template that would exceed the page limit of the document is not added', () => {
  const pages = Array.from({ length: 200 }, (_, n) => ({ id: `p${n}`, elements: [] }));
  expect(addTemplate(documentOf({ pages }), template, null)).toEqual({
    refused: 'A document has at most 200 pages.',
  });
});

test('images are replaced by their copies, those that could not be copied leave an empty frame, and fonts are named', () => {
  const copy = {
    key: 'images/projects/p/a',
    newKey: '5f0f7c1e-1b7a-4f0e-9b25-6d1a0c3e4f52',
    url: null,
    width: 1,
    height: 1,
  };
  const filled = withCopiedImages(template, { images: [copy], failed: [] });
  expect(elementsOfTemplate(filled.content)).toContainEqual(
    expect.objectContaining({ type: 'image', imageId: copy.newKey, path: null }),
  );
  const failed = [{ key: copy.key, reason: 'not_available' as const }];
  const empty = withCopiedImages(template, { images: [], failed });
  expect(elementsOfTemplate(empty.content)).toContainEqual(
    expect.objectContaining({ type: 'image', imageId: null, path: null }),
  );
  expect(empty.leftOut).toContain('1 image could not be copied');
  expect(missingFontsOf(template, [])).toContain('“Studio Serif”');
  expect(missingFontsOf(template, [{ name: 'Studio Serif' }])).toBeNull();
});
