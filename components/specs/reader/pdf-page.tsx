'use client';

import { Box, Text } from '@mantine/core';
import type { PDFPageProxy, RenderTask } from 'pdfjs-dist';
import { memo, type RefObject, useCallback, useEffect, useState } from 'react';
import { importPdfJs } from './import-pdf-js';
import { markMatches } from './mark-matches';
import { type OpenedPdf, PdfError } from './open-pdf';
import { PageLinks } from './page-links';
import { rangesOf, type TextContent } from './page-text';
import classes from './pdf-page.module.css';
import type { Match } from './use-find';
import { type PageSize, PX_PER_POINT, pixelRatio } from './zoom';

type PdfPageProps = {
  pdf: OpenedPdf;
  /** The number of the page, from 1. */
  number: number;
  scale: number;
  size: PageSize;
  /** The search matches on this page. */
  matches: Match[];
  /** The current match, which can be on another page. */
  current: Match | undefined;
  /**
   * The match to scroll to. The `PdfPage` that contains the match scrolls to it and then clears the ref, so that a
   * remount does not scroll again.
   */
  toShow: RefObject<Match | null>;
  onSize: (number: number, size: PageSize) => void;
  onGoTo: (number: number) => void;
  onError: (error: unknown) => void;
};

type Layer = { content: TextContent; elements: HTMLElement[] };

/** Shows one page of a PDF with selectable text, links and highlighted matches. */
export const PdfPage = memo(function PdfPage(props: PdfPageProps) {
  const { pdf, number, scale, size, matches, current, toShow, onSize, onGoTo, onError } = props;
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  const [layer, setLayer] = useState<Layer | null>(null);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const { width, height } = size;

  useEffect(() => {
    let isCanceled = false;
    pdf.guard(pdf.document.getPage(number)).then(
      (loaded) => {
        if (isCanceled) return;
        const viewport = loaded.getViewport({ scale: PX_PER_POINT });
        onSize(number, { width: viewport.width, height: viewport.height });
        setPage(loaded);
      },
      (error: unknown) => {
        if (isCanceled) return;
        if (error instanceof PdfError) onError(error);
        else setIsUnreadable(true);
      },
    );
    return () => {
      isCanceled = true;
    };
  }, [pdf, number, onSize, onError]);

  const draw = useCallback(
    (target: HTMLCanvasElement | null) => {
      if (!page || !target) return;
      const viewport = page.getViewport({ scale: scale * PX_PER_POINT });
      const ratio = pixelRatio(viewport, window.devicePixelRatio);
      target.width = Math.floor(viewport.width * ratio);
      target.height = Math.floor(viewport.height * ratio);
      const task: RenderTask = page.render({
        canvas: target,
        viewport,
        transform: [ratio, 0, 0, ratio, 0, 0],
      });
      let isCanceled = false;
      pdf.guard(task.promise).catch((error: unknown) => {
        if (isCanceled) return;
        if (error instanceof PdfError) onError(error);
        else setIsUnreadable(true);
      });
      return () => {
        isCanceled = true;
        task.cancel();
        // Setting the size to 0 frees the canvas memory immediately.
        target.width = 0;
        target.height = 0;
        page.cleanup();
      };
    },
    [pdf, page, scale, onError],
  );

  const showText = useCallback(
    (container: HTMLElement | null) => {
      if (!page || !container) return;
      let isCanceled = false;
      let stop = () => {};
      const show = async () => {
        const { TextLayer } = await importPdfJs();
        const content = await pdf.guard(page.getTextContent());
        if (isCanceled) return;
        container.replaceChildren();
        const shown = new TextLayer({
          textContentSource: content,
          container,
          viewport: page.getViewport({ scale: PX_PER_POINT }),
        });
        stop = () => shown.cancel();
        await shown.render();
        if (!isCanceled) setLayer({ content, elements: shown.textDivs });
      };
      // A page without readable text can still be viewed.
      show().catch(() => {});
      return () => {
        isCanceled = true;
        stop();
        setLayer(null);
      };
    },
    [pdf, page],
  );

  useEffect(() => {
    if (!layer || matches.length === 0) return;
    const ranges = rangesOf(layer.content, layer.elements, matches);
    const shown = current && ranges[matches.indexOf(current)];
    if (shown && toShow.current) {
      toShow.current = null;
      shown.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' });
    }
    return markMatches(ranges, shown);
  }, [layer, matches, current, toShow]);

  return (
    <section
      className={classes.page}
      aria-label={`Page ${number.toLocaleString('en')}`}
      style={{ width: width * scale, height: height * scale }}
    >
      <canvas ref={draw} className={classes.canvas} />
      <Box
        ref={showText}
        className={classes.text}
        __vars={{ '--total-scale-factor': String(scale * PX_PER_POINT) }}
      />
      {page && <PageLinks pdf={pdf} page={page} onGoTo={onGoTo} />}
      {isUnreadable && (
        <Text className={classes.notice} size="sm">
          This page could not be shown.
        </Text>
      )}
    </section>
  );
});
