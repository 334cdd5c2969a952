'use client';

import { memo, useMemo } from 'react';
import { ScaledSheet } from '@/components/document/scaled-sheet';
import { documentWords } from '@/lib/document/document-words';
import type { PageData } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { useDocumentImages, useEditor } from '../use-editor';
import classes from './canvas.module.css';
import { useHyphenatedPage } from './use-hyphenated-page';

type PaperProps = {
  page: PageData;
  /** 1-based; excludes the cover and contents that an export may add. */
  number: number;
  size: SheetSize;
  /** 1 is the actual size. */
  scale: number;
  /** Id of an element to leave out, because it is rendered elsewhere. */
  without?: string | null;
};

/** An inert rendering of a page as printed, at any scale. */
export const Paper = memo(function Paper({ page, number, size, scale, without = null }: PaperProps) {
  const images = useDocumentImages();
  const words = useEditor(({ document }) => documentWords(document.language));
  const printed = useHyphenatedPage(page);
  const shown = useMemo(
    () =>
      without === null
        ? printed
        : { ...printed, elements: printed.elements.filter(({ id }) => id !== without) },
    [printed, without],
  );
  return (
    <div className={classes.paper} inert aria-hidden="true">
      <ScaledSheet
        page={shown}
        title={page.title || `${words.page} ${number}`}
        number={number}
        size={size}
        scale={scale}
        images={images}
      />
    </div>
  );
});
