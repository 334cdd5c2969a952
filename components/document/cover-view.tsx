import { coverTextTop, coverTitleSize } from '@/lib/document/cover-title';
import { cjkLanguage } from '@/lib/document/font-families';
import { coverImageFrame } from '@/lib/document/image-uses';
import { type DocumentImages, imageKey } from '@/lib/document/page-model';
import type { CoverSheet, SheetSize } from '@/lib/document/sheets';
import { FramedImage } from './framed-image';
import { mm, pt } from './lengths';

type CoverViewProps = {
  sheet: CoverSheet;
  size: SheetSize;
  /** How far the image extends beyond the sheet, in millimeters. */
  bleed: number;
  images: DocumentImages;
};

/** The cover sheet, rendered from the document's cover settings. */
export function CoverView({ sheet, size, bleed, images }: CoverViewProps) {
  const { cover, title, margins } = sheet;
  const { top, side, bottom } = margins;
  const key = imageKey(cover);
  const { width, height } = coverImageFrame(size, bleed);
  return (
    <div
      className="doc-cover"
      lang={cjkLanguage([title, cover.subtitle, cover.client, cover.date].join(' '))}
      style={{ backgroundColor: cover.background, color: cover.color }}
    >
      {key !== null && (
        <div
          className="doc-cover-image"
          style={{ left: mm(-bleed), top: mm(-bleed), width: mm(width), height: mm(height) }}
        >
          <FramedImage width={width} height={height} image={images.get(key)} fit="cover" alt="" />
        </div>
      )}
      <div
        className="doc-cover-text"
        data-measured=""
        style={{ top: mm(coverTextTop(cover, size)), padding: `${mm(top)} ${mm(side)} ${mm(bottom)}` }}
      >
        <h1 dir="auto" style={{ fontSize: pt(coverTitleSize(cover, title, size, margins)) }}>
          {title}
        </h1>
        {cover.subtitle && <p dir="auto">{cover.subtitle}</p>}
        {cover.client && (
          <p dir="auto" className="doc-cover-small">
            {cover.client}
          </p>
        )}
        {cover.date && (
          <p dir="auto" className="doc-cover-small">
            {cover.date}
          </p>
        )}
      </div>
    </div>
  );
}
