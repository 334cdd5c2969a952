'use client';

import { useElementSize } from '@mantine/hooks';
import { ScaledSheet } from '@/components/document/scaled-sheet';
import { viewsAtScale } from '@/lib/document/image-views';
import type { DocumentImages } from '@/lib/document/page-model';
import type { Sheet, SheetSize } from '@/lib/document/sheets';
import { useHyphenatedSheet } from '../canvas/use-hyphenated-sheet';
import { PX_PER_MM } from '../geometry/zoom';
import classes from './history.module.css';

type VersionSheetProps = { sheet: Sheet; size: SheetSize; images: DocumentImages };

/** A sheet of a version, as wide as its parent. */
export function VersionSheet({ sheet, size, images }: VersionSheetProps) {
  const { ref, width } = useElementSize();
  const printed = useHyphenatedSheet(sheet);
  const scale = width / (size.width * PX_PER_MM);
  return (
    <div
      ref={ref}
      className={classes.sheet}
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
      inert
      aria-hidden="true"
    >
      {width > 0 && (
        <ScaledSheet sheet={printed} size={size} scale={scale} images={viewsAtScale(images, scale)} />
      )}
    </div>
  );
}
