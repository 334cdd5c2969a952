'use client';

import { Button, Loader, Stack } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import classes from './share-page.module.css';

/** The space around a sheet, in pixels. */
const MARGIN_PX = 60;
const MAX_SCALE = 1.25;

/** The size of the drawn document, with the space around its sheets. */
type Paper = { width: number; height: number };

/** Returns what a frame has drawn: `empty` for a document without pages, and `failed` for anything but a document. */
function drawnIn({ contentDocument: drawn }: HTMLIFrameElement): Paper | 'empty' | 'failed' {
  if (drawn?.contentType !== 'text/html') return 'failed';
  const sheet = drawn.querySelector<HTMLElement>('.doc-sheet');
  if (!sheet) return 'empty';
  return { width: sheet.offsetWidth + MARGIN_PX, height: drawn.documentElement.scrollHeight };
}

/** Makes links open a new tab, because the frame cannot show another site. */
function openLinksInTabs({ contentDocument }: HTMLIFrameElement): void {
  for (const link of contentDocument?.querySelectorAll<HTMLAnchorElement>('a[href]') ?? []) {
    link.target = '_blank';
  }
}

/** Shows the document of a share link, scaled to the width of the page, which scrolls as a whole. */
export function SharedDocument({ src, title }: { src: string; title: string }) {
  const { ref, width } = useElementSize();
  const [drawn, setDrawn] = useState<Paper | 'empty' | 'failed' | null>(null);
  const measure = useCallback((frame: HTMLIFrameElement) => {
    openLinksInTabs(frame);
    setDrawn(drawnIn(frame));
  }, []);
  // The document may have loaded before React could listen.
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
