import { cjkLanguage } from '@/lib/document/font-families';
import { type ContentsSheet, sheetAnchor } from '@/lib/document/sheets';
import { mm } from './lengths';

type ContentsViewProps = { sheet: ContentsSheet; linkBase?: string };

/** A table-of-contents sheet; each line shows a sheet's title and number and links to it. */
export function ContentsView({ sheet, linkBase = '#' }: ContentsViewProps) {
  const { title: heading, entries, isFirst } = sheet;
  const { margin, heading: headingHeight, row } = sheet.layout;
  return (
    <nav className="doc-contents" style={{ inset: mm(margin) }}>
      <div style={{ height: mm(headingHeight) }}>{isFirst && <h1>{heading}</h1>}</div>
      <ol>
        {entries.map(({ title, number }) => (
          <li key={number} style={{ height: mm(row) }}>
            <a href={linkBase + sheetAnchor(number)}>
              <span className="doc-contents-title" dir="auto" lang={cjkLanguage(title)}>
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
