'use client';

import { Button, Loader, Stack } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import classes from './share-page.module.css';

/** The minimum total space to the left and right of a sheet, in pixels. */
const MARGIN_PX = 60;
const MAX_SCALE = 1.25;

/** The size of the rendered document, including the space around its sheets. */
type Paper = { width: number; height: number };

/**
 * Returns the size of the document in a frame, `empty` if the document has no pages, or `failed` if the frame shows
 * anything else, such as a JSON error from the API or the error page of a proxy.
 */
function measureFrame({ contentDocument: drawn }: HTMLIFrameElement): Paper | 'empty' | 'failed' {
  if (!drawn?.querySelector('body.doc-sheets')) return 'failed';
  const sheet = drawn.querySelector<HTMLElement>('.doc-sheet');
  if (!sheet) return 'empty';
  return { width: sheet.offsetWidth + MARGIN_PX, height: drawn.documentElement.scrollHeight };
}

/** Scrolls the page to a sheet in the frame, and moves the focus there, so that Tab continues from the sheet. */
function showSheet(frame: HTMLIFrameElement, sheet: HTMLElement): void {
  sheet.tabIndex = -1;
  sheet.focus({ preventScroll: true });
  // Compute the position, because browsers differ in how `scrollIntoView` scrolls the page around a frame, and in
  // whether it takes the frame's scale into account.
  const { top, width } = frame.getBoundingClientRect();
  window.scrollBy(0, top + (sheet.getBoundingClientRect().top * width) / frame.offsetWidth);
}

/**
 * Prepares the links of the document. A link to one of its sheets scrolls the page, because the frame does not scroll.
 * Any other link opens in a new tab, because the frame cannot show another site.
 */
function prepareLinks(frame: HTMLIFrameElement): void {
  const drawn = frame.contentDocument;
  for (const link of drawn?.querySelectorAll<HTMLAnchorElement>('a[href]') ?? []) {
    const anchor = /^#(.+)/.exec(link.getAttribute('href') ?? '')?.[1];
    const sheet = anchor && drawn?.getElementById(anchor);
    if (!sheet) {
      link.target = '_blank';
      continue;
    }
    link.onclick = (event) => {
      // A click with one of these keys opens the link in another tab or window.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      showSheet(frame, sheet);
    };
  }
}

/** Shows a shared document, scaled to the width of the page, up to `MAX_SCALE`. The page scrolls, not the frame. */
export function SharedDocument({ src, title }: { src: string; title: string }) {
  const { ref, width } = useElementSize();
  const [drawn, setDrawn] = useState<Paper | 'empty' | 'failed' | null>(null);
  const measure = useCallback((frame: HTMLIFrameElement) => {
    prepareLinks(frame);
    setDrawn(measureFrame(frame));
  }, []);
  // The document may have loaded before React attached the `onLoad` handler.
  const measureLoaded = useCallback(
    (frame: HTMLIFrameElement | null) => {
      const loaded = frame?.contentDocument;
      if (frame && loaded?.readyState === 'complete' && loaded.URL !== 'about:blank') measure(frame);
    },
    [measure],
  );

  if (drawn === 'empty') return <p className={classes.quiet}>No pages yet.</p>;
  if (drawn === 'failed') {
    return (
      <Stack align="flex-start">
        <p className={classes.quiet}>The document could not be loaded.</p>
        <Button variant="default" onClick={() => setDrawn(null)}>
          Try again
        </Button>
      </Stack>
    );
  }
  const scale = drawn && width > 0 ? Math.min(MAX_SCALE, width / drawn.width) : 1;
  return (
    <div className={classes.desk} ref={ref} style={drawn ? { height: drawn.height * scale } : undefined}>
      {!drawn && (
        <div className={classes.wait}>
          <Loader aria-label="Loading document" />
        </div>
      )}
      <iframe
        ref={measureLoaded}
        title={`Document: ${title}`}
        src={src}
        onLoad={({ currentTarget }) => measure(currentTarget)}
        style={{
          width: width / scale,
          height: drawn?.height ?? 0,
          transform: `scale(${scale})`,
        }}
      />
    </div>
  );
}
