import { backgroundOf } from '@/lib/document/masters';
import type { DocumentImages } from '@/lib/document/page-model';
import { edgeWidth, paperSize } from '@/lib/document/sheet-edge';
import { type Sheet, type SheetPlan, sheetAnchor } from '@/lib/document/sheets';
import { ContentsView } from './contents-view';
import { CoverView } from './cover-view';
import { mm } from './lengths';
import { PageView } from './page-view';

/** The maximum distance in millimeters between the edges of a page and its sheet at which the page bleeds. */
const UNNOTICED_MM = 0.01;

type SheetContentProps = {
  sheet: Sheet;
  plan: Pick<SheetPlan, 'size' | 'pages' | 'edge'>;
  images: DocumentImages;
  /** URL prefix of links to sheets, when the sheets are on another page. Defaults to `#`. */
  linkBase?: string;
};
type SheetViewProps = SheetContentProps & { plan: Pick<SheetPlan, 'isPureBlack'> };

/** What a sheet shows, unscaled. The parent must be a `doc-sheet` with the size and background of the sheet. */
export function SheetContent({ sheet, plan, images, linkBase }: SheetContentProps) {
  if (sheet.kind === 'cover') {
    return <CoverView sheet={sheet} size={plan.size} bleed={plan.edge.bleed} images={images} />;
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
        ...overhang(plan),
      }}
    >
      <PageView sheet={sheet} number={sheet.number} images={images} />
    </div>
  );
}

/** Returns styles that show what extends into the bleed, at the edges that the page shares with its sheet. */
function overhang({ edge: { bleed }, pages: { scale, left, top } }: Pick<SheetPlan, 'edge' | 'pages'>) {
  if (bleed === 0) return {};
  const [across, down] = [left, top].map((gap) => mm(gap > UNNOTICED_MM ? 0 : -bleed / scale));
  return { overflow: 'visible', clipPath: `inset(${down} ${across})` };
}

/** Returns the background color of a sheet, or undefined for white. */
export function sheetBackground(sheet: Sheet): string | undefined {
  if (sheet.kind === 'page') return backgroundOf(sheet.page, sheet.master);
  return sheet.kind === 'cover' ? sheet.cover.background : undefined;
}

/** One sheet of paper: the cover, a contents sheet or a page, with the bleed and the room for marks around it. */
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

/** All sheets of a document, in order. */
export function DocumentView({ plan, ...rest }: DocumentViewProps) {
  return plan.sheets.map((sheet) => <SheetView key={sheet.number} sheet={sheet} plan={plan} {...rest} />);
}
