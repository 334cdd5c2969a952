import { countOf } from '@/components/format/count';
import type { PageElement, TextBlock, TextRun } from '@/lib/document/page-model';

const textOf = (runs: TextRun[]) => runs.map(({ text }) => text).join('');

/** Returns the text of blocks without formatting, with one line per block or list item. */
export function plainText(blocks: readonly TextBlock[]): string {
  return blocks
    .flatMap((block) => (block.type === 'list' ? block.items.map(textOf) : [textOf(block.runs)]))
    .join('\n');
}

const shapes = { rect: 'Rectangle', ellipse: 'Ellipse', line: 'Line' };

function kindOf(element: PageElement): string {
  switch (element.type) {
    case 'text':
      return 'Text';
    case 'image':
      return element.imageId || element.path ? 'Image' : 'Empty image frame';
    case 'material':
      return 'Material';
    case 'table':
      return element.continues === undefined ? 'Table' : 'Continued table';
    case 'shape':
      return shapes[element.kind];
  }
}

function contentOf(element: PageElement): string {
  switch (element.type) {
    case 'text':
      return plainText(element.blocks);
    case 'image':
      return element.alt;
    case 'material':
      return element.title;
    case 'table':
      return element.columns.map(({ label }) => label).join(', ');
    case 'shape':
      return '';
  }
}

/** Returns an element's label for lists and screen readers: its kind with its name or the start of its content. */
export function elementLabel(element: PageElement): string {
  const kind = kindOf(element);
  const content = (element.name || contentOf(element)).replace(/\s+/g, ' ').trim();
  if (!content) return kind;
  return `${kind}: ${content.length > 60 ? `${content.slice(0, 59).trimEnd()}…` : content}`;
}

/** Returns the label of a group for lists and screen readers. */
export const groupLabel = (size: number) => `Group of ${countOf(size, 'element')}`;
