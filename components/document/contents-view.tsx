import { cjkLanguage } from '@/lib/document/font-families';
import { type ContentsSheet, sheetAnchor } from '@/lib/document/sheets';
import { mm } from './lengths';
import { fontProps } from './typography';

type ContentsViewProps = { sheet: ContentsSheet; linkBase?: string };

/** Renders a table-of-contents sheet. Each line shows a sheet's title and number and links to that sheet. */
export function ContentsView({ sheet, linkBase = '#' }: ContentsViewProps) {
  const { title: heading, entries, isFirst, contents } = sheet;
  const { margin, heading: headingHeight, row } = sheet.layout;
  const { className, style } = fontProps(contents.font, 'doc-contents');
  return (
    <nav className={className} style={{ ...style, inset: mm(margin), color: contents.color }}>
      <div style={{ height: mm(headingHeight) }}>{isFirst && <h1 dir="auto">{heading}</h1>}</div>
      <ol>
        {entries.map(({ title, number }) => (
          <li key={number} style={{ height: mm(row) }}>
            <a href={linkBase + sheetAnchor(number)} dir="auto">
              <span className="doc-contents-title" lang={cjkLanguage(title)}>
                {title}
              </span>
              <span className="doc-contents-dots" />
              <span>{number}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
