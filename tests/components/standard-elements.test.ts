import { expect, test } from 'vitest';
import { standardElements } from '@/components/editor/standards/standard-elements';
import { type TextElement, textElement } from '@/lib/document/page-model';
import { MAX_PAGE_CHARS } from '@/lib/specs/pdf/text-limits';

const area = { x: 10, y: 10, w: 190, h: 270 };
const source = { fileName: 'lobby.pdf', version: 2 };
const doors = { number: 1, title: 'Doors', page: 4, level: 1, text: '100 cm wide\n\nOf oak' };

const textsOf = ({ blocks }: TextElement) =>
  blocks.map((block) => (block.type === 'list' ? [] : block.runs.map(({ text }) => text).join('')));

test('a section becomes a text with its title, its paragraphs and its source', () => {
  const [element] = standardElements(source, [doors], area);
  expect(element && textsOf(element)).toEqual([
    'Doors',
    '100 cm wide',
    'Of oak',
    'lobby.pdf, page 4, version 2',
  ]);
});

test('the source of a section without a page and text is its file and version', () => {
  const [element] = standardElements(source, [{ ...doors, page: null, text: null }], area);
  expect(element && textsOf(element)).toEqual(['Doors', 'lobby.pdf, version 2']);
});

test('the longest sections are not cut, and their frames are within the area and do not overlap', () => {
  const texts = ['x'.repeat(MAX_PAGE_CHARS), 'x\n'.repeat(MAX_PAGE_CHARS / 2)];
  const sections = texts.map((text, index) => ({ ...doors, number: index + 1, text }));
  const elements = standardElements(source, sections, area);
  expect(elements.map((element) => textElement.safeParse(element).success)).toEqual([true, true]);
  expect(elements.map((element) => textsOf(element).join('').match(/x/g)?.length)).toEqual([
    MAX_PAGE_CHARS,
    MAX_PAGE_CHARS / 2,
  ]);
  const [first, second] = elements;
  expect(second && first && (second.y >= first.y + first.h || second.x >= first.x + first.w)).toBe(true);
  expect(elements.every(({ y, h }) => y + h <= area.y + area.h)).toBe(true);
});
