'use client';

import { memo, useMemo } from 'react';
import { ScaledSheet } from '@/components/document/scaled-sheet';
import type { PageData } from '@/lib/export/document/page-model';
import type { SheetSize } from '@/lib/export/document/sheets';
import { useDocumentImages } from '../use-editor';
import classes from './canvas.module.css';

type PaperProps = {
  page: PageData;
  /** From 1; the cover and contents that an export may add are not counted here. */
  number: number;
  size: SheetSize;
  /** Of the true size. */
  scale: number;
  /** An element that is drawn elsewhere just now. */
  without?: string | null;
};

/** A page as it is printed, at any size; to look at only: nothing in it can be reached. */
export const Paper = memo(function Paper({ page, number, size, scale, without = null }: PaperProps) {
  const images = useDocumentImages();
  const shown = useMemo(
    () => (without === null ? page : { ...page, elements: page.elements.filter(({ id }) => id !== without) }),
    [page, without],
  );
  return (
    <div className={classes.paper} inert aria-hidden="true">
      <ScaledSheet
        page={shown}
        title={page.title || `Page ${number}`}
        number={number}
        size={size}
        scale={scale}
        images={images}
      />
    </div>
  );
});
