'use client';

import { UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import type { OpenedPdf } from './open-pdf';
import classes from './page-thumbnails.module.css';
import { type PageSize, PX_PER_POINT } from './zoom';

const WIDTH = 104;
/** The height of the page number below a thumbnail, plus the space around both. */
const LABEL_HEIGHT = 40;
/** Maximum height of a thumbnail. Only the top of a longer page is shown. */
const MAX_HEIGHT = 2 * WIDTH;

type ThumbnailProps = { pdf: OpenedPdf; number: number };

function Thumbnail({ pdf, number }: ThumbnailProps) {
  const draw = useCallback(
    (target: HTMLCanvasElement | null) => {
      if (!target) return;
      let isCanceled = false;
      let cancel = () => {};
      const show = async () => {
        const page = await pdf.guard(pdf.document.getPage(number));
        if (isCanceled) return;
        const { width } = page.getViewport({ scale: PX_PER_POINT });
        const ratio = Math.min(window.devicePixelRatio, 2);
        const viewport = page.getViewport({ scale: (WIDTH / width) * PX_PER_POINT * ratio });
        target.width = viewport.width;
        target.height = Math.min(viewport.height, MAX_HEIGHT * ratio);
        const task = page.render({ canvas: target, viewport });
        cancel = () => task.cancel();
        await pdf.guard(task.promise);
      };
      // A thumbnail that cannot be drawn stays white. The page itself shows the error.
      show().catch(() => {});
      return () => {
        isCanceled = true;
        cancel();
        target.width = 0;
        target.height = 0;
      };
    },
    [pdf, number],
  );

  return <canvas ref={draw} className={classes.canvas} />;
}

type PageThumbnailsProps = {
  pdf: OpenedPdf;
  sizeOf: (number: number) => PageSize;
  page: number;
  onGoTo: (number: number) => void;
};

/** Shows the pages of a PDF as clickable thumbnails. Renders only the thumbnails near the viewport. */
export function PageThumbnails({ pdf, sizeOf, page, onGoTo }: PageThumbnailsProps) {
  const list = useRef<HTMLDivElement>(null);
  const heightOf = (number: number) => {
    const { width, height } = sizeOf(number);
    return Math.min((WIDTH * height) / width, MAX_HEIGHT);
  };
  const virtualizer = useVirtualizer({
    count: pdf.document.numPages,
    getScrollElement: () => list.current,
    estimateSize: (index) => heightOf(index + 1) + LABEL_HEIGHT,
    overscan: 2,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page whose size becomes known moves those below it.
  useEffect(() => virtualizer.measure(), [sizeOf, virtualizer]);
  useEffect(() => virtualizer.scrollToIndex(page - 1, { align: 'auto' }), [page, virtualizer]);

  return (
    <nav ref={list} className={classes.list} aria-label="Pages">
      <div className={classes.all} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const number = index + 1;
          return (
            <UnstyledButton
              key={index}
              className={classes.thumbnail}
              style={{ transform: `translateY(${start}px)` }}
              aria-label={`Go to page ${number.toLocaleString('en')}`}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onGoTo(number)}
            >
              <span className={classes.sheet} style={{ width: WIDTH, height: heightOf(number) }}>
                <Thumbnail pdf={pdf} number={number} />
              </span>
              {number.toLocaleString('en')}
            </UnstyledButton>
          );
        })}
      </div>
    </nav>
  );
}
