import { ScaledSheet } from '@/components/document/scaled-sheet';
import { viewsAtScale } from '@/lib/document/image-views';
import type { DocumentImages, PageData } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import classes from './templates.module.css';

const PX_PER_MM = 96 / 25.4;

type PageMiniatureProps = {
  page: PageData;
  size: SheetSize;
  images: DocumentImages;
  /** Length of the longer side in pixels. */
  px: number;
};

/** A small, inert rendering of a page as printed. */
export function PageMiniature({ page, size, images, px }: PageMiniatureProps) {
  const scale = px / (Math.max(size.width, size.height) * PX_PER_MM);
  const [width, height] = [size.width, size.height].map((side) => side * PX_PER_MM * scale);
  return (
    <div className={classes.miniature} style={{ width, height }} aria-hidden="true" inert>
      <ScaledSheet
        page={page}
        title={page.title}
        number={1}
        size={size}
        scale={scale}
        images={viewsAtScale(images, scale)}
      />
    </div>
  );
}
