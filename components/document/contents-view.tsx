import { cjkLanguage } from '@/lib/document/font-families';
import { type ContentsEntry, contentsLayout, sheetAnchor } from '@/lib/document/sheets';
import { mm } from './lengths';

type ContentsViewProps = { title: string; entries: ContentsEntry[]; isFirst: boolean; linkBase?: string };

/** A table-of-contents sheet; each line shows a sheet's title and number and links to it. */
export function ContentsView({ title: heading, entries, isFirst, linkBase = '#' }: ContentsViewProps) {
  const { margin, heading: headingHeight, row } = contentsLayout;
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
