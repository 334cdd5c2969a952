import { getSchema } from '@tiptap/react';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLink } from '@/components/editor/text/link-address';
import { blocksOf, docOf, normalizeBlocks } from '@/components/editor/text/text-blocks';
import { textExtensions } from '@/components/editor/text/text-extensions';
import { ownFormat, ownTypography } from '@/components/editor/text/typography-attributes';
import { type TextBlock, type TextRun, textElement, textLimits } from '@/lib/document/page-model';
import { anyText } from '@/tests/setup/any-text';

const plain = { bold: false, italic: false, underline: false, link: null };
const run = (text: string, marks: Partial<TextRun> = {}): TextRun => ({ text, ...plain, ...marks });

const anyTypography = fc.record(
  {
    font: fc.constantFrom('Lora', 'Noto Sans', 'Søren 2.0 Sans'),
    size: fc.constantFrom(4, 10.5, 400),
    color: fc.constantFrom('#5f2c52', '#000000'),
    tracking: fc.constantFrom(-100, 0, 25),
    position: fc.constantFrom('superscript' as const, 'subscript' as const),
  },
  { requiredKeys: [] },
);
const style = {
  id: 'heading',
  font: null,
  fontSize: 20,
  lineHeight: 1.2,
  color: '#1f2328',
  align: 'center',
} as const;
const anyFormat = fc.record(
  {
    style: fc.constantFrom(style, { ...style, font: 'Lora', colorId: 'red', bold: true, tracking: 20 }),
    spaceBefore: fc.constantFrom(0, 12.5),
    spaceAfter: fc.constantFrom(0, 3),
    lineHeight: fc.constantFrom(0.8, 1.5),
  },
  { requiredKeys: [] },
);
const anyPlainRun = fc.record({
  text: fc.oneof(
    fc.string({ maxLength: 8 }),
    anyText({ maxLength: 8 }),
    fc.constantFrom('\n', 'a\n', '\n\nb', 'a\r\nb', '\t'),
  ),
  bold: fc.boolean(),
  italic: fc.boolean(),
  underline: fc.boolean(),
  link: fc.constantFrom(null, 'https://example.com/', 'mailto:a@example.com'),
});
const anyRun = fc.tuple(anyPlainRun, anyTypography).map(([plainRun, own]) => ({ ...plainRun, ...own }));
const anyRuns = fc.array(anyRun, { maxLength: 6 });
const anyPlainBlock: fc.Arbitrary<TextBlock> = fc.oneof(
  fc.record({ type: fc.constant('heading' as const), level: fc.constantFrom(1, 2, 3), runs: anyRuns }),
  fc.record({ type: fc.constant('paragraph' as const), runs: anyRuns }),
  fc.record({
    type: fc.constant('list' as const),
    ordered: fc.boolean(),
    items: fc.array(anyRuns, { maxLength: 4 }),
  }),
);
const anyBlock = fc.tuple(anyPlainBlock, anyFormat).map(([block, own]) => ({ ...block, ...own }));
const anyBlocks = fc.array(anyBlock, { maxLength: 6 });
const schema = getSchema(textExtensions);

const elementOf = (blocks: TextBlock[]) => ({ id: 'e', type: 'text', x: 0, y: 0, w: 10, h: 10, blocks });

test('a normalized text round-trips through the rich-text editor', () => {
  fc.assert(
    fc.property(anyBlocks, (any) => {
      const { blocks } = normalizeBlocks(any);
      const node = schema.nodeFromJSON(docOf(blocks));
      node.check();
      expect(blocksOf(node.toJSON())).toEqual({ blocks, cut: false });
      expect(blocksOf(docOf(blocks)).blocks).toEqual(blocks);
      expect(normalizeBlocks(blocks)).toEqual({ blocks, cut: false });
    }),
    { numRuns: 400 },
  );
});

test('any content of the rich-text editor converts to a valid text', () => {
  const anyMark = fc.oneof(
    fc.constantFrom({ type: 'bold' }, { type: 'strike' }, { type: 'underline' }),
    fc.webUrl().map((href) => ({ type: 'link', attrs: { href } })),
    fc
      .constantFrom('javascript:alert(1)', 'data:text/html,x', 7)
      .map((href) => ({ type: 'link', attrs: { href } })),
  );
  const anyNode = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.record({
        type: fc.constant('text'),
        text: anyText(),
        marks: fc.array(anyMark, { maxLength: 3 }),
      }),
      fc.record({
        type: fc.constantFrom(
          'paragraph',
          'heading',
          'bulletList',
          'orderedList',
          'listItem',
          'hardBreak',
          'table',
        ),
        attrs: fc.record({ level: fc.anything() }),
        content: fc.array(tie('node'), { maxLength: 5 }),
      }),
    ),
  })).node;
  fc.assert(
    fc.property(fc.array(anyNode, { maxLength: 6 }), (content) => {
      const { blocks } = blocksOf({ type: 'doc', content: content as object[] });
      expect(textElement.safeParse(elementOf(blocks)).error).toBeUndefined();
    }),
    { numRuns: 150 },
  );
});

describe('limits of a text', () => {
  const { run: maxRun, runs, items, blocks: maxBlocks } = textLimits;
  const paragraph = (list: TextRun[]): TextBlock => ({ type: 'paragraph', runs: list });

  test.each<[string, TextBlock[]]>([
    ['too many blocks', Array.from({ length: maxBlocks + 1 }, () => paragraph([run('a')]))],
    [
      'too many runs',
      [paragraph(Array.from({ length: runs + 1 }, (_, i) => run('a', { bold: i % 2 === 0 })))],
    ],
    [
      'too many items',
      [{ type: 'list', ordered: false, items: Array.from({ length: items + 1 }, () => [run('a')]) }],
    ],
  ])('a text with %s is cut and marked as cut', (_, blocks) => {
    const result = normalizeBlocks(blocks);
    expect(result.cut).toBe(true);
    expect(textElement.safeParse(elementOf(result.blocks)).success).toBe(true);
  });

  test('a long run is split between characters without losing text', () => {
    const text = `${'x'.repeat(maxRun - 1)}🙂${'y'.repeat(maxRun)}`;
    const { blocks, cut } = normalizeBlocks([paragraph([run(text)])]);
    const [block] = blocks;
    const parts = block?.type === 'paragraph' ? block.runs.map((part) => part.text) : [];
    expect(cut).toBe(false);
    expect(parts.map((part) => part.length)).toEqual([maxRun - 1, maxRun, 2]);
    expect(parts.join('')).toBe(text);
  });
});

test('adjacent runs with the same formatting are merged, and an empty text has no blocks', () => {
  const { blocks } = normalizeBlocks([
    { type: 'paragraph', runs: [run('a'), run(''), run('b'), run('c', { bold: true })] },
    { type: 'list', ordered: false, items: [] },
  ]);
  expect(blocks).toEqual([{ type: 'paragraph', runs: [run('ab'), run('c', { bold: true })] }]);
  expect(normalizeBlocks([{ type: 'paragraph', runs: [run('')] }]).blocks).toEqual([]);
  expect(blocksOf(docOf([])).blocks).toEqual([]);
});

test('attributes that are invalid, as in pasted HTML, count as unset', () => {
  for (const attributes of [undefined, null, 2, 'x', [], { style: 3, lineHeight: '2', size: -1 }]) {
    expect(ownFormat(attributes)).toEqual({});
    expect(ownTypography(attributes)).toEqual({});
  }
  expect(ownFormat({ style: 3, lineHeight: 2 })).toEqual({ lineHeight: 2 });
  expect(ownTypography({ size: 4, color: 'red' })).toEqual({ size: 4 });
});

test('a link with a URL that the model does not allow becomes plain text', () => {
  const doc = docOf([{ type: 'paragraph', runs: [run('a', { link: 'javascript:alert(1)' })] }]);
  expect(blocksOf(doc).blocks).toEqual([{ type: 'paragraph', runs: [run('a')] }]);
});

describe('parseLink', () => {
  test.each([
    ['example.com/lamps', 'https://example.com/lamps'],
    [' https://example.com ', 'https://example.com'],
    ['anna@example.com', 'mailto:anna@example.com'],
    ['mailto:anna@example.com', 'mailto:anna@example.com'],
  ])('the typed link "%s" becomes %s', (typed, href) => {
    expect(parseLink(typed)).toEqual({ href });
  });

  test.each([
    ['', 'Enter a link.'],
    ['javascript:alert(1)', 'This must be an http, https or mailto URL.'],
    ['https://user:secret@example.com', 'This must be an http, https or mailto URL.'],
    [`https://example.com/${'x'.repeat(2000)}`, 'This must have at most 2000 characters.'],
  ])('the typed link "%s" is refused: %s', (typed, error) => {
    expect(parseLink(typed)).toEqual({ error });
  });
});
