import { documentCss } from '@/components/document/document-css';
import { mm } from '@/components/document/lengths';
import { PageView } from '@/components/document/page-view';
import type { DocumentImages, PageData } from '@/lib/export/document/page-model';
import type { SheetSize } from '@/lib/export/document/sheets';
import classes from './templates.module.css';

const PX_PER_MM = 96 / 25.4;

type PageMiniatureProps = {
  page: PageData;
  size: SheetSize;
  images: DocumentImages;
  /** Its larger side in pixels. */
  px: number;
};

/** A page as it will be printed, small; a picture, and nothing in it can be reached. */
export function PageMiniature({ page, size, images, px }: PageMiniatureProps) {
  const scale = px / (Math.max(size.width, size.height) * PX_PER_MM);
  const [width, height] = [size.width, size.height].map((side) => side * PX_PER_MM * scale);
  return (
    <div className={classes.miniature} style={{ width, height }} aria-hidden="true" inert>
      <style href="document" precedence="default">
        {documentCss}
      </style>
      <div
        className="doc-sheet"
        style={{
          width: mm(size.width),
          height: mm(size.height),
          backgroundColor: page.background,
          transform: `scale(${scale})`,
          transformOrigin: '0 0',
        }}
      >
        <div className="doc-page" style={{ width: mm(size.width), height: mm(size.height) }}>
          <PageView page={page} title={page.title} number={1} images={images} />
        </div>
      </div>
    </div>
  );
}
