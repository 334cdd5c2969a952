import type { ReactNode } from 'react';
import {
  type DocumentImages,
  imageKey,
  type PictureCell,
  type TableElement,
} from '@/lib/document/page-model';
import { cellText, contentWidth, pictureOf } from '@/lib/document/table-cells';
import { rowsWithinFrame } from '@/lib/document/within-frame';
import { FramedImage } from './framed-image';
import { mm, pt } from './lengths';
import { cellDirection, textAlign } from './text-align';
import { fontProps } from './typography';

const numbered = <Item,>(items: Item[]) => items.map((item, index) => ({ item, key: String(index) }));

/** The row index of the column labels. */
export const LABELS = -1;
/** Identifies a cell of a table by the indexes of its row and column. */
export type CellPosition = { row: number; column: number };

const sides = { left: 'start', center: 'center', right: 'end', justify: 'start' } as const;

type CellPictureProps = {
  picture: PictureCell;
  /** The width of the cell without its padding, in millimeters. */
  width: number;
  align: TableElement['columns'][number]['align'];
  images: DocumentImages;
};

/** Renders a cell's image at the height set in the cell, or smaller if the image would be wider than the cell. */
function CellPicture({ picture, width, align, images }: CellPictureProps) {
  const { height, alt } = picture;
  const image = images.get(imageKey(picture) ?? '');
  const scale = image && Math.min(width / image.width, height / image.height);
  const size =
    image && scale ? { width: image.width * scale, height: image.height * scale } : { width, height };
  return (
    <div className="doc-cell-image" style={{ justifyContent: sides[align] }}>
      <div style={{ width: mm(size.width), height: mm(size.height) }}>
        <FramedImage {...size} image={image} fit="contain" alt={alt} />
      </div>
    </div>
  );
}

type TableViewProps = {
  element: TableElement;
  images: DocumentImages;
  /**
   * Renders the text of a cell or of a column label, whose row is `LABELS`. The table editor uses this to make cells
   * editable in place.
   */
  renderCell?: (text: string, position: CellPosition) => ReactNode;
};

/** Renders a table. Its columns divide the frame's width in proportion to their weights. */
export function TableView({ element, images, renderCell = (text) => text }: TableViewProps) {
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
              {cols.map(({ item: column, key: columnKey }, index) => {
                const text = cellText(row[index]);
                const picture = pictureOf(row[index]);
                return (
                  <td
                    key={columnKey}
                    dir={cellDirection(text)}
                    style={{ textAlign: textAlign[column.align] }}
                  >
                    {picture && (
                      <CellPicture
                        picture={picture}
                        width={contentWidth(element, index)}
                        align={column.align}
                        images={images}
                      />
                    )}
                    {renderCell(text, { row: rowIndex, column: index })}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
