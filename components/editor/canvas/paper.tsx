'use client';

import { memo, useMemo } from 'react';
import { ScaledSheet } from '@/components/document/scaled-sheet';
import { viewsAtScale } from '@/lib/document/image-views';
import type { PageData } from '@/lib/document/page-model';
import { pageSheet, type Sheet, type SheetSize } from '@/lib/document/sheets';
import { flowedPage, hasFlow } from '@/lib/document/table-flow';
import { useDocumentImages, useEditor, useFrontSheetCount, usePageSetup } from '../use-editor';
import classes from './canvas.module.css';
import { useHyphenatedSheet } from './use-hyphenated-sheet';

type PaperProps = { sheet: Sheet; size: SheetSize; scale: number };

/** Shows a sheet as it is printed, at any scale. The rendering is inert. */
export const SheetPaper = memo(function SheetPaper({ sheet, size, scale }: PaperProps) {
  const images = useDocumentImages();
  const printed = useHyphenatedSheet(sheet);
  return (
    <div className={classes.paper} inert aria-hidden="true">
      <ScaledSheet sheet={printed} size={size} scale={scale} images={viewsAtScale(images, scale)} />
    </div>
  );
});

type PagePaperProps = {
  page: PageData;
  /** The printed page number; null for a master. */
  number: number | null;
  /** Scale factor; 1 is the actual size. */
  scale: number;
  /** Id of an element that is left out here and rendered elsewhere. */
  without?: string | null;
};

/** Returns a sheet that shows only a master, with its placeholders unfilled. */
function masterSheet(master: PageData): Sheet {
  const footer = { hasTitle: false, hasNumber: false, margin: 0 };
  return { kind: 'page', number: 0, page: master, master: null, title: master.title, footer };
}

/** Shows a page or master as it is printed, at any scale. The rendering is inert. */
export const PagePaper = memo(function PagePaper({ page, number, scale, without = null }: PagePaperProps) {
  const setup = usePageSetup();
  const front = useFrontSheetCount();
  const count = useEditor(({ document }) => document.pages.length) + front;
  const pages = useEditor(({ document }) => (hasFlow(page) ? document.pages : null));
  const sheet = useMemo(() => {
    const flowed = pages ? flowedPage(page, pages) : page;
    const elements = flowed.elements.filter(({ id }) => id !== without);
    const shown = without === null ? flowed : { ...flowed, elements };
    return number === null ? masterSheet(shown) : pageSheet(setup, shown, number, count);
  }, [page, pages, number, count, setup, without]);
  return <SheetPaper sheet={sheet} size={setup.size} scale={scale} />;
});
