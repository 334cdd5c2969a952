'use client';

import { mm } from '@/components/document/lengths';
import type { TextBlock, TextElement } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { TextEditor } from '../text/text-editor';
import classes from './canvas.module.css';

type TextLayerProps = {
  /** The text that is being edited; null if none is. */
  text: TextElement | null;
  size: SheetSize;
  scale: number;
  selectAll: boolean;
  onChange: (id: string, blocks: TextBlock[]) => void;
  /** Called when editing ends. */
  onClose: () => void;
};

/** Edits a text at its place on the canvas, above the other elements. */
export function TextLayer({ text, size, scale, selectAll, onChange, onClose }: TextLayerProps) {
  if (!text) return null;
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
          left: mm(text.x),
          top: mm(text.y),
          width: mm(text.w),
          height: mm(text.h),
          transform: text.rotation === 0 ? undefined : `rotate(${text.rotation}deg)`,
        }}
      >
        <TextEditor
          element={text}
          selectAll={selectAll}
          onChange={(blocks) => onChange(text.id, blocks)}
          onDone={onClose}
        />
      </div>
    </div>
  );
}
