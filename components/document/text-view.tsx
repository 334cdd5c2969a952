import type { CSSProperties } from 'react';
import type { TextBlock, TextElement, TextRun } from '@/lib/document/page-model';
import { blocksWithinFrame } from '@/lib/document/within-frame';
import { mm, pt } from './lengths';
import { textAlign } from './text-align';
import { blockProps, fontProps, runProps } from './typography';

function Run({ run }: { run: TextRun }) {
  let content = <>{run.text}</>;
  if (run.bold) content = <strong>{content}</strong>;
  if (run.italic) content = <em>{content}</em>;
  if (run.underline) content = <u>{content}</u>;
  if (run.link !== null) {
    content = (
      <a href={run.link} rel="noopener noreferrer">
        {content}
      </a>
    );
  }
  const own = runProps(run);
  return own ? <span {...own}>{content}</span> : content;
}

// Runs, items and blocks have no ids, so their indexes serve as keys.
const keyed = <Item,>(items: Item[]) => items.map((item, index) => ({ item, key: String(index) }));
const runs = (list: TextRun[]) => keyed(list).map(({ item, key }) => <Run key={key} run={item} />);

function Block({ block }: { block: TextBlock }) {
  switch (block.type) {
    case 'heading': {
      // Headings start at h2, because h1 is for the titles of the cover and of the contents.
      const Heading = (['h2', 'h3', 'h4'] as const)[block.level - 1] ?? 'h4';
      return (
        <Heading dir="auto" {...blockProps(block)}>
          {runs(block.runs)}
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p dir="auto" {...blockProps(block)}>
          {runs(block.runs)}
        </p>
      );
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List dir="auto" {...blockProps(block)}>
          {keyed(block.items).map(({ item, key }) => (
            <li key={key} dir="auto">
              {runs(item)}
            </li>
          ))}
        </List>
      );
    }
  }
}

// With `safe`, text that is too long overflows at the bottom whatever the alignment. Overflow at the top could not be
// measured.
const vertical = { top: 'flex-start', middle: 'safe center', bottom: 'safe flex-end' } as const;

/** Returns the class and the CSS of a text element's box: typography, colors, alignment and padding. */
export function textProps(element: TextElement): { className: string; style: CSSProperties } {
  const { font, fontSize, lineHeight, color, fill, align, bold, tracking, valign, padding } = element;
  const { className, style } = fontProps(font, 'doc-text');
  return {
    className,
    style: {
      ...style,
      fontSize: pt(fontSize),
      lineHeight,
      color,
      backgroundColor: fill ?? undefined,
      textAlign: textAlign[align],
      fontWeight: bold ? 700 : undefined,
      letterSpacing: tracking ? `${tracking / 1000}em` : undefined,
      justifyContent: vertical[valign],
      padding: mm(padding),
    },
  };
}

/** Renders headings, paragraphs and lists in a frame. Text that does not fit is clipped. */
export function TextView({ element }: { element: TextElement }) {
  return (
    <div {...textProps(element)} data-measured={element.id}>
      {keyed(blocksWithinFrame(element)).map(({ item, key }) => (
        <Block key={key} block={item} />
      ))}
    </div>
  );
}
