import type { ReactNode } from 'react';
import { coverImagePlace, coverTextPlace } from '@/lib/document/cover-layout';
import { coverTitleSize } from '@/lib/document/cover-title';
import { cjkLanguage } from '@/lib/document/font-families';
import { type DocumentImages, imageKey } from '@/lib/document/page-model';
import type { CoverSheet, SheetSize } from '@/lib/document/sheets';
import { FramedImage } from './framed-image';
import { mm, pt } from './lengths';
import { textAlign } from './text-align';
import { fontProps } from './typography';

type CoverViewProps = {
  sheet: CoverSheet;
  size: SheetSize;
  /** Distance in millimeters that the image extends beyond the sheet. */
  bleed: number;
  images: DocumentImages;
  /** The sheet's master, which is between the image and the text. */
  children: ReactNode;
};

const justified = { top: 'flex-start', middle: 'safe center', bottom: 'safe flex-end' } as const;

/** Renders the cover sheet from the document's cover settings. */
export function CoverView({ sheet, size, bleed, images, children }: CoverViewProps) {
  const { cover, title, margins } = sheet;
  const { top, side, bottom } = margins;
  const key = imageKey(cover);
  const image = coverImagePlace(cover, size, bleed);
  const text = coverTextPlace(cover, size);
  const { className, style } = fontProps(cover.font, 'doc-cover');
  return (
    <div
      className={className}
      lang={cjkLanguage([title, cover.subtitle, cover.client, cover.date].join(' '))}
      style={{ ...style, backgroundColor: cover.background, color: cover.color }}
    >
      {key !== null && (
        <div
          className="doc-cover-image"
          style={{
            left: mm(image.left),
            top: mm(image.top),
            width: mm(image.width),
            height: mm(image.height),
          }}
        >
          <FramedImage {...image} image={images.get(key)} fit="cover" alt="" />
        </div>
      )}
      {children}
      <div
        className="doc-cover-text"
        data-measured=""
        style={{
          left: mm(text.left),
          top: mm(text.top),
          padding: `${mm(top)} ${mm(side)} ${mm(bottom)}`,
          justifyContent: justified[cover.valign],
          textAlign: textAlign[cover.align],
        }}
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
