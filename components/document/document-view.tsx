import { backgroundOf } from '@/lib/document/masters';
import type { DocumentImages } from '@/lib/document/page-model';
import { edgeWidth, paperSize } from '@/lib/document/sheet-edge';
import { edgesOfSheet, type Sheet, type SheetPlan, sheetAnchor } from '@/lib/document/sheets';
import { ContentsView } from './contents-view';
import { CoverView } from './cover-view';
import { mm } from './lengths';
import { MasterView } from './master-view';
import { PageView } from './page-view';

type SheetContentProps = {
  sheet: Sheet;
  plan: Pick<SheetPlan, 'size' | 'pages' | 'edge'>;
  images: DocumentImages;
  /** URL prefix of links to sheets, followed by the sheet's anchor; defaults to `#`. */
  linkBase?: string;
};
type SheetViewProps = SheetContentProps & { plan: Pick<SheetPlan, 'isPureBlack'> };

/**
 * Renders the content of a sheet at actual size. The parent must be positioned, have the sheet's size, and be a
 * `doc-sheet` or be inside one. The caller draws the sheet's background.
 */
export function SheetContent({ sheet, plan, images, linkBase }: SheetContentProps) {
  if (sheet.kind === 'page') {
    return (
      <div className="doc-page" data-page={sheet.page.id} style={pageStyle(plan)}>
        <PageView sheet={sheet} number={sheet.number} images={images} />
      </div>
    );
  }
  const master = sheet.master && (
    <div className="doc-page" style={pageStyle(plan)}>
      <MasterView master={sheet.master} images={images} />
    </div>
  );
  if (sheet.kind === 'cover') {
    return (
      <CoverView sheet={sheet} size={plan.size} bleed={plan.edge.bleed} images={images}>
        {master}
      </CoverView>
    );
  }
  return (
    <>
      {master}
      <ContentsView sheet={sheet} linkBase={linkBase} />
    </>
  );
}

/** Returns the styles that place a page of the document on its sheet. */
function pageStyle(plan: SheetContentProps['plan']) {
  const { size, scale, left, top } = plan.pages;
  return {
    left: mm(left),
    top: mm(top),
    width: mm(size.width),
    height: mm(size.height),
    transform: scale === 1 ? undefined : `scale(${scale})`,
    ...overhang(plan),
  };
}

/** Returns styles that show content in the bleed, but only at edges of the page that are also edges of the sheet. */
function overhang({ edge: { bleed }, pages }: Pick<SheetPlan, 'edge' | 'pages'>) {
  if (bleed === 0) return {};
  const { across, down } = edgesOfSheet(pages);
  const inset = (isEdge: boolean) => mm(isEdge ? -bleed / pages.scale : 0);
  return { overflow: 'visible', clipPath: `inset(${inset(down)} ${inset(across)})` };
}

/**
 * Returns the background color of a sheet. Returns undefined for a contents sheet without a master. Such a sheet is
 * white.
 */
export function sheetBackground(sheet: Sheet): string | undefined {
  if (sheet.kind === 'page') return backgroundOf(sheet.page, sheet.master);
  return sheet.kind === 'cover' ? sheet.cover.background : sheet.master?.background;
}

/**
 * Renders one sheet of paper: the cover, a contents sheet or a page, with the bleed and the space for marks around it.
 */
export function SheetView(props: SheetViewProps) {
  const { sheet, plan } = props;
  const { size, edge, isPureBlack } = plan;
  const paper = paperSize(plan);
  const room = edgeWidth(edge);
  const style = {
    width: mm(paper.width),
    height: mm(paper.height),
    color: isPureBlack ? '#000000' : undefined,
  };
  const backgroundColor = sheetBackground(sheet);
  if (room === 0) {
    return (
      <section className="doc-sheet" id={sheetAnchor(sheet.number)} style={{ ...style, backgroundColor }}>
        <SheetContent {...props} />
      </section>
    );
  }
  const { bleed } = edge;
  return (
    <section
      className="doc-sheet"
      id={sheetAnchor(sheet.number)}
      style={{ ...style, backgroundColor: 'transparent' }}
    >
      <div
        className="doc-bleed"
        style={{
          left: mm(room - bleed),
          top: mm(room - bleed),
          width: mm(size.width + 2 * bleed),
          height: mm(size.height + 2 * bleed),
          backgroundColor,
        }}
      >
        <div
          className="doc-trimmed"
          style={{ left: mm(bleed), top: mm(bleed), width: mm(size.width), height: mm(size.height) }}
        >
          <SheetContent {...props} />
        </div>
      </div>
    </section>
  );
}

type DocumentViewProps = Omit<SheetViewProps, 'sheet'> & { plan: SheetPlan };

/** Renders all sheets of a document, in order. */
export function DocumentView({ plan, ...rest }: DocumentViewProps) {
  return plan.sheets.map((sheet) => <SheetView key={sheet.number} sheet={sheet} plan={plan} {...rest} />);
}
