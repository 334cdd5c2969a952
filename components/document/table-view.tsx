import type { ReactNode } from 'react';
import type { TableElement } from '@/lib/document/page-model';
import { rowsWithinFrame } from '@/lib/document/within-frame';
import { pt } from './lengths';
import { cellDirection, textAlign } from './text-align';
import { fontProps } from './typography';

const numbered = <Item,>(items: Item[]) => items.map((item, index) => ({ item, key: String(index) }));

/** The row of the column labels in the places of cells. */
export const LABELS = -1;
/** A cell of a table, by the indexes of its row and column. */
export type CellPlace = { row: number; column: number };

type TableViewProps = {
  element: TableElement;
  /** Renders the content of a cell instead of its text, to edit it in place. */
  renderCell?: (text: string, place: CellPlace) => ReactNode;
};

/** A table; its columns divide the frame's width in proportion to their weights. */
export function TableView({ element, renderCell = (text) => text }: TableViewProps) {
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
              {cols.map(({ item, key }, column) => (
                <th
                  key={key}
                  scope="col"
                  dir={cellDirection(item.label)}
                  style={{ textAlign: textAlign[item.align] }}
                >
                  {renderCell(item.label, { row: LABELS, column })}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {numbered(rowsWithinFrame(element)).map(({ item: row, key }, rowIndex) => (
            <tr key={key}>
              {cols.map(({ item: column, key: columnKey }, index) => (
                <td
                  key={columnKey}
                  dir={cellDirection(row[index])}
                  style={{ textAlign: textAlign[column.align] }}
                >
                  {renderCell(row[index] ?? '', { row: rowIndex, column: index })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
