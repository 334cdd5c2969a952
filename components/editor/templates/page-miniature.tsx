import { ScaledSheet } from '@/components/document/scaled-sheet';
import { viewsAtScale } from '@/lib/document/image-views';
import type { DocumentImages, PageData } from '@/lib/document/page-model';
import { pageSheet, type SheetSize } from '@/lib/document/sheets';
import { usePageSetup } from '../use-editor';
import classes from './templates.module.css';

const PX_PER_MM = 96 / 25.4;

type PageMiniatureProps = {
  page: PageData;
  size: SheetSize;
  images: DocumentImages;
  /** The masters that the page can use. Defaults to the document's masters. */
  masters?: PageData[];
  /** Length of the longer side in pixels. */
  px: number;
};

/** A small, inert rendering of a page as printed. */
export function PageMiniature({ page, size, images, masters, px }: PageMiniatureProps) {
  const setup = usePageSetup();
  const scale = px / (Math.max(size.width, size.height) * PX_PER_MM);
  const sheet = pageSheet({ ...setup, size, masters: masters ?? setup.masters }, page, 1, 1);
  const [width, height] = [size.width, size.height].map((side) => side * PX_PER_MM * scale);
  return (
    <div className={classes.miniature} style={{ width, height }} aria-hidden="true" inert>
      <ScaledSheet sheet={sheet} size={size} scale={scale} images={viewsAtScale(images, scale)} />
    </div>
  );
}
