import type { TableElement } from '@/lib/document/page-model';
import { rowsWithinFrame } from '@/lib/document/within-frame';
import { pt } from './lengths';
import { cellDirection, textAlign } from './text-align';
import { fontProps } from './typography';

const numbered = <Item,>(items: Item[]) => items.map((item, index) => ({ item, key: String(index) }));

/** A table; its columns divide the frame's width in proportion to their weights. */
export function TableView({ element }: { element: TableElement }) {
  const { columns, header, headerFill, font, fontSize, color, lineColor } = element;
  const { className, style } = fontProps(font, 'doc-table');
  const total = columns.reduce((sum, column) => sum + column.width, 0);
  const cols = numbered(columns);
  return (
    <div
      className={className}
      data-measured={element.id}
      style={{ ...style, fontSize: pt(fontSize), color, borderColor: lineColor }}
    >
      <table>
        <colgroup>
          {cols.map(({ item, key }) => (
            <col key={key} style={{ width: `${(item.width / total) * 100}%` }} />
          ))}
        </colgroup>
        {header && (
          <thead style={{ backgroundColor: headerFill ?? undefined }}>
            <tr>
              {cols.map(({ item, key }) => (
                <th
                  key={key}
                  scope="col"
                  dir={cellDirection(item.label)}
                  style={{ textAlign: textAlign[item.align] }}
                >
                  {item.label}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {numbered(rowsWithinFrame(element)).map(({ item: row, key }) => (
            <tr key={key}>
              {cols.map(({ item: column, key: columnKey }, index) => (
                <td
                  key={columnKey}
                  dir={cellDirection(row[index])}
                  style={{ textAlign: textAlign[column.align] }}
                >
                  {row[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
