'use client';

import { mm } from '@/components/document/lengths';
import type { Point } from '@/lib/document/bounds';
import type { TableElement, TextBlock, TextElement } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { TableEditor } from '../tables/table-editor';
import { TextEditor } from '../text/text-editor';
import classes from './canvas.module.css';

type InPlaceEditorProps = {
  /** The text element or table that is being edited, or null. */
  element: TextElement | TableElement | null;
  size: SheetSize;
  scale: number;
  /** Whether to select all of the text when editing starts. */
  selectAll: boolean;
  /** The point in the viewport where a table was double-clicked; null if it was opened by keyboard. */
  at: Point | null;
  onText: (id: string, blocks: TextBlock[]) => void;
  /** Called when editing ends. */
  onClose: () => void;
};

/** Edits a text element or table in place on the canvas, above the other elements. */
export function InPlaceEditor({ element, size, scale, selectAll, at, onText, onClose }: InPlaceEditorProps) {
  if (!element) return null;
  return (
    <div
      className={`doc-sheet ${classes.textLayer}`}
      style={{
        width: mm(size.width),
        height: mm(size.height),
        transform: `scale(${scale})`,
        // Override the paper styles of `doc-sheet`.
        position: 'absolute',
        background: 'none',
        contain: 'none',
      }}
    >
      <div
        className="doc-element"
        style={{
          left: mm(element.x),
          top: mm(element.y),
          width: mm(element.w),
          height: mm(element.h),
          transform: element.rotation === 0 ? undefined : `rotate(${element.rotation}deg)`,
        }}
      >
        {element.type === 'text' ? (
          <TextEditor
            element={element}
            selectAll={selectAll}
            onChange={(blocks) => onText(element.id, blocks)}
            onDone={onClose}
          />
        ) : (
          <TableEditor element={element} at={at} onDone={onClose} />
        )}
      </div>
    </div>
  );
}
