import { backgroundOf } from '@/lib/document/masters';
import type { DocumentImages } from '@/lib/document/page-model';
import { type Sheet, type SheetPlan, sheetAnchor } from '@/lib/document/sheets';
import { ContentsView } from './contents-view';
import { CoverView } from './cover-view';
import { mm } from './lengths';
import { PageView } from './page-view';

type SheetViewProps = {
  sheet: Sheet;
  plan: Pick<SheetPlan, 'size' | 'pages'>;
  images: DocumentImages;
  /** URL prefix of links to sheets, when the sheets are on another page. Defaults to `#`. */
  linkBase?: string;
};

/** What a sheet shows, unscaled. The parent must be a `doc-sheet` with the size and background of the sheet. */
export function SheetContent({ sheet, plan, images, linkBase }: SheetViewProps) {
  if (sheet.kind === 'cover') {
    return <CoverView sheet={sheet} size={plan.size} images={images} />;
  }
  if (sheet.kind === 'contents') return <ContentsView sheet={sheet} linkBase={linkBase} />;
  const { size, scale, left, top } = plan.pages;
  return (
    <div
      className="doc-page"
      data-page={sheet.page.id}
      style={{
        left: mm(left),
        top: mm(top),
        width: mm(size.width),
        height: mm(size.height),
        transform: scale === 1 ? undefined : `scale(${scale})`,
      }}
    >
      <PageView sheet={sheet} number={sheet.number} images={images} />
    </div>
  );
}

/** Returns the color of a sheet's paper, if it is not up to its content. */
export function sheetBackground(sheet: Sheet): string | undefined {
  return sheet.kind === 'page' ? backgroundOf(sheet.page, sheet.master) : undefined;
}

/** One sheet of paper: the cover, a contents sheet or a page. */
export function SheetView(props: SheetViewProps) {
  const { sheet, plan } = props;
  return (
    <section
      className="doc-sheet"
      id={sheetAnchor(sheet.number)}
      style={{
        width: mm(plan.size.width),
        height: mm(plan.size.height),
        backgroundColor: sheetBackground(sheet),
      }}
    >
      <SheetContent {...props} />
    </section>
  );
}

type DocumentViewProps = Omit<SheetViewProps, 'sheet'> & { plan: SheetPlan };

/** All sheets of a document, in order. */
export function DocumentView({ plan, ...rest }: DocumentViewProps) {
  return plan.sheets.map((sheet) => <SheetView key={sheet.number} sheet={sheet} plan={plan} {...rest} />);
}
