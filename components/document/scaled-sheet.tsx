import type { DocumentImages, PageData } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { documentCss } from './document-css';
import { mm } from './lengths';
import { PageView } from './page-view';

type ScaledSheetProps = {
  page: PageData;
  title: string;
  number: number;
  size: SheetSize;
  /** 1 is the actual size. */
  scale: number;
  images: DocumentImages;
};

/** A page as printed, at any scale. Its layout box keeps the actual size, so the parent must clip it. */
export function ScaledSheet({ page, title, number, size, scale, images }: ScaledSheetProps) {
  const [width, height] = [mm(size.width), mm(size.height)];
  return (
    <>
      <style href="document" precedence="default">
        {documentCss}
      </style>
      <div
        className="doc-sheet"
        style={{
          width,
          height,
          backgroundColor: page.background,
          transform: `scale(${scale})`,
          transformOrigin: '0 0',
        }}
      >
        <div className="doc-page" style={{ left: 0, top: 0, width, height }}>
          <PageView page={page} title={title} number={number} images={images} />
        </div>
      </div>
    </>
  );
}
