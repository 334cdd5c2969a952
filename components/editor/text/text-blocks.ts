import type { JSONContent } from '@tiptap/react';
import { isSame } from '@/lib/document/merge/same-value';
import { link, type TextBlock, type TextRun, textLimits } from '@/lib/document/page-model';
import { type BlockFormat, ownFormat, ownTypography } from './typography-attributes';

type Marks = Omit<TextRun, 'text'>;

const unprintable = /(?![\t\n])\p{Cc}/gu;

const cleanText = (text: string) => text.replace(/\r\n?/g, '\n').replace(unprintable, '').toWellFormed();

function haveSameMarks({ text: _, ...a }: TextRun, { text: __, ...b }: TextRun): boolean {
  return isSame(a, b);
}

/** Splits a string into parts that each fit in a run. Never splits a surrogate pair. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + textLimits.run, text.length);
    if (to < text.length && /[\udc00-\udfff]/.test(text.charAt(to))) to -= 1;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}

function normalRuns(runs: TextRun[]): TextRun[] {
  const joined: TextRun[] = [];
  for (const run of runs) {
    const text = cleanText(run.text);
    const last = joined.at(-1);
    if (text === '') continue;
    if (last && haveSameMarks(last, run)) last.text += text;
    else joined.push({ ...run, text });
  }
  return joined.flatMap((run) => partsOf(run.text).map((text) => ({ ...run, text })));
}

/** Returns the first `max` items. If there are more, sets `cut.happened`. */
function upTo<Item>(max: number, items: Item[], cut: { happened: boolean }): Item[] {
  if (items.length > max) cut.happened = true;
  return items.slice(0, max);
}

/**
 * Normalizes blocks: merges adjacent runs with the same formatting, splits runs that are too long, and changes line
 * breaks to `\n`. Removes empty runs, empty lists, an empty paragraph that is the only block, and control characters
 * except tabs and line breaks. `cut` is true if content beyond the model's limits was cut off.
 */
export function normalizeBlocks(blocks: TextBlock[]): { blocks: TextBlock[]; cut: boolean } {
  const cut = { happened: false };
  const runsOf = (runs: TextRun[]) => upTo(textLimits.runs, normalRuns(runs), cut);
  const kept = upTo(
    textLimits.blocks,
    blocks.filter((block) => block.type !== 'list' || block.items.length > 0),
    cut,
  ).map((block): TextBlock => {
    if (block.type !== 'list') return { ...block, runs: runsOf(block.runs) };
    return { ...block, items: upTo(textLimits.items, block.items, cut).map(runsOf) };
  });
  const [first] = kept;
  const isEmpty = kept.length === 1 && first?.type === 'paragraph' && first.runs.length === 0;
  return { blocks: isEmpty ? [] : kept, cut: cut.happened };
}

function inlineOf({ text, bold, italic, underline, link: href, ...rest }: TextRun): JSONContent[] {
  const typography = ownTypography(rest);
  const marks = [
    ...(Object.keys(typography).length === 0 ? [] : [{ type: 'typography', attrs: typography }]),
    ...(href === null ? [] : [{ type: 'link', attrs: { href } }]),
    ...(bold ? [{ type: 'bold' }] : []),
    ...(italic ? [{ type: 'italic' }] : []),
    ...(underline ? [{ type: 'underline' }] : []),
  ];
  return text
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [{ type: 'hardBreak', marks }] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line, marks }]),
    ]);
}

const paragraphOf = (runs: TextRun[], attrs: BlockFormat = {}): JSONContent => ({
  type: 'paragraph',
  attrs,
  content: runs.flatMap(inlineOf),
});

function nodeOf(block: TextBlock): JSONContent {
  const attrs = ownFormat(block);
  if (block.type === 'list') {
    const items = block.items.map((runs) => ({ type: 'listItem', content: [paragraphOf(runs, attrs)] }));
    return { type: block.ordered ? 'orderedList' : 'bulletList', attrs, content: items };
  }
  const paragraph = paragraphOf(block.runs, attrs);
  if (block.type === 'paragraph') return paragraph;
  return { ...paragraph, type: 'heading', attrs: { ...attrs, level: block.level } };
}

/** Converts blocks to the rich-text editor's document. */
export function docOf(blocks: TextBlock[]): JSONContent {
  const content = normalizeBlocks(blocks).blocks.map(nodeOf);
  return { type: 'doc', content: content.length > 0 ? content : [paragraphOf([])] };
}

function marksOf({ marks = [] }: JSONContent): Marks {
  const has = (type: string) => marks.some((mark) => mark.type === type);
  const href: unknown = marks.find((mark) => mark.type === 'link')?.attrs?.href;
  return {
    bold: has('bold'),
    italic: has('italic'),
    underline: has('underline'),
    link: link.safeParse(href).data ?? null,
    ...ownTypography(marks.find((mark) => mark.type === 'typography')?.attrs),
  };
}

function runsIn(node: JSONContent): TextRun[] {
  if (node.type === 'hardBreak') return [{ text: '\n', ...marksOf(node) }];
  if (node.text !== undefined) return [{ text: node.text, ...marksOf(node) }];
  return (node.content ?? []).flatMap(runsIn);
}

const levelOf = (level: unknown) => (level === 1 || level === 2 ? level : 3);

/**
 * Converts the rich-text editor's document to blocks. `cut` is true if content beyond the model's limits was cut off.
 */
export function blocksOf(doc: JSONContent): { blocks: TextBlock[]; cut: boolean } {
  const blocks = (doc.content ?? []).map((node): TextBlock => {
    const format = ownFormat(node.attrs);
    switch (node.type) {
      case 'heading':
        return { type: 'heading', ...format, level: levelOf(node.attrs?.level), runs: runsIn(node) };
      case 'bulletList':
      case 'orderedList':
        return {
          type: 'list',
          ...format,
          ordered: node.type === 'orderedList',
          items: (node.content ?? []).map(runsIn),
        };
      default:
        return { type: 'paragraph', ...format, runs: runsIn(node) };
    }
  });
  return normalizeBlocks(blocks);
}
