'use client';

import { Text, UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import type { FrontSheet, SheetSize } from '@/lib/document/sheets';
import { SheetPaper } from '../canvas/paper';
import type { OpenSheet } from '../editor-change';
import { PX_PER_MM } from '../geometry/zoom';
import { useEditor, useEditorContext } from '../use-editor';
import classes from './page-strip.module.css';

/** Returns each cover or contents sheet together with the `OpenSheet` that opens it. */
function sheetsToOpen(sheets: readonly FrontSheet[]): { sheet: FrontSheet; open: OpenSheet }[] {
  const contents = sheets.filter(({ kind }) => kind === 'contents');
  return sheets.map((sheet) => ({
    sheet,
    open: sheet.kind === 'cover' ? { kind: 'cover' } : { kind: 'contents', index: contents.indexOf(sheet) },
  }));
}

const isSameSheet = (a: OpenSheet, b: OpenSheet) =>
  a.kind === b.kind && (a.kind !== 'contents' || b.kind !== 'contents' || a.index === b.index);

type FrontSheetsProps = {
  sheets: readonly FrontSheet[];
  size: SheetSize;
  /** Scale factor; 1 is the actual size. */
  scale: number;
  /** Length of each sheet in the strip, in CSS pixels. */
  length: number;
  horizontal: boolean;
};

/** Shows the cover and contents sheets in the strip. Users can open these sheets but not move them. */
export const FrontSheets = memo(function FrontSheets(props: FrontSheetsProps) {
  const { sheets, size, scale, length, horizontal } = props;
  const { store } = useEditorContext();
  const current = useEditor(({ sheet }) => sheet);
  return (
    <ol className={classes.front} aria-label="Cover and contents">
      {sheetsToOpen(sheets).map(({ sheet, open }) => {
        const name = sheet.kind === 'cover' ? 'Cover' : 'Contents';
        const isOpen = isSameSheet(open, current);
        return (
          <li key={sheet.number} style={horizontal ? { width: length } : { height: length }}>
            <div className={classes.page} data-open-page={isOpen}>
              <div
                className={classes.miniature}
                style={{ width: size.width * PX_PER_MM * scale, height: size.height * PX_PER_MM * scale }}
              >
                <SheetPaper sheet={sheet} size={size} scale={scale} />
                <UnstyledButton
                  className={classes.open}
                  aria-current={isOpen ? 'page' : undefined}
                  aria-label={`${name}, page ${sheet.number}`}
                  onClick={() => store.dispatch({ type: 'sheet-opened', sheet: open })}
                />
              </div>
              <div className={classes.label}>
                <Text size="xs" truncate className={classes.words} aria-hidden="true">
                  {sheet.number}
                  {!horizontal && <span className={classes.title}> {name}</span>}
                </Text>
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
});
