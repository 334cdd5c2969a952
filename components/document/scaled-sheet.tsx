import type { DocumentImages } from '@/lib/document/page-model';
import type { Sheet, SheetSize } from '@/lib/document/sheets';
import { documentCss } from './document-css';
import { SheetContent, sheetBackground } from './document-view';
import { mm } from './lengths';

type ScaledSheetProps = {
  sheet: Sheet;
  size: SheetSize;
  /** Scale factor; 1 is the actual size. */
  scale: number;
  images: DocumentImages;
};

/**
 * Renders a sheet at any scale, without bleed or crop marks. Its layout box keeps the unscaled size, so the parent
 * must clip it.
 */
export function ScaledSheet({ sheet, size, scale, images }: ScaledSheetProps) {
  return (
    <>
      <style href="document" precedence="default">
        {documentCss}
      </style>
      <div
        className="doc-sheet"
        style={{
          width: mm(size.width),
          height: mm(size.height),
          backgroundColor: sheetBackground(sheet),
          transform: `scale(${scale})`,
          transformOrigin: '0 0',
        }}
      >
        <SheetContent
          sheet={sheet}
          plan={{ size, pages: { size, scale: 1, left: 0, top: 0 }, edge: { bleed: 0, cropMarks: false } }}
          images={images}
        />
      </div>
    </>
  );
}
