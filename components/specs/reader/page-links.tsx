'use client';

import { VisuallyHidden } from '@mantine/core';
import type { PDFPageProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { OpenedPdf } from './open-pdf';
import classes from './pdf-page.module.css';

/** The maximum number of links that are shown on one page. */
const MAX_LINKS = 200;
const allowed = ['http:', 'https:', 'mailto:'];

const annotation = z.object({
  subtype: z.literal('Link'),
  rect: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  url: z.string().optional(),
  dest: z.union([z.string(), z.array(z.unknown())]).nullish(),
});
type Link = z.infer<typeof annotation>;

/** Returns the URL of a link, or null if the link has no valid URL with an allowed scheme. */
function urlOf({ url }: Link): string | null {
  if (!url || !URL.canParse(url)) return null;
  return allowed.includes(new URL(url).protocol) ? url : null;
}

/** Returns the number of the page that a link targets, or null if it does not target a page. */
async function pageOf({ document, guard }: OpenedPdf, dest: Link['dest']): Promise<number | null> {
  const destination = typeof dest === 'string' ? await guard(document.getDestination(dest)) : dest;
  const target = z.object({ num: z.int(), gen: z.int() }).safeParse(destination?.[0]).data;
  return target ? (await guard(document.getPageIndex(target))) + 1 : null;
}

type PageLinksProps = { pdf: OpenedPdf; page: PDFPageProxy; onGoTo: (number: number) => void };

/** Shows the links of a page, which lead to other pages, websites and email addresses. */
export function PageLinks({ pdf, page, onGoTo }: PageLinksProps) {
  const [links, setLinks] = useState<Link[]>([]);

  useEffect(() => {
    let isCanceled = false;
    pdf.guard(page.getAnnotations()).then(
      (found: unknown[]) => {
        if (isCanceled) return;
        setLinks(found.flatMap((each) => annotation.safeParse(each).data ?? []).slice(0, MAX_LINKS));
      },
      () => {},
    );
    return () => {
      isCanceled = true;
    };
  }, [pdf, page]);

  const viewport = page.getViewport({ scale: 1 });
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  return links.map((link, n) => {
    const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(link.rect[0], link.rect[1]);
    const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(link.rect[2], link.rect[3]);
    const style = {
      left: percent(Math.min(x1, x2), viewport.width),
      top: percent(Math.min(y1, y2), viewport.height),
      width: percent(Math.abs(x2 - x1), viewport.width),
      height: percent(Math.abs(y2 - y1), viewport.height),
    };
    const url = urlOf(link);
    if (url) {
      return (
        <a
          // biome-ignore lint/suspicious/noArrayIndexKey: the links of a page never change.
          key={n}
          className={classes.link}
          style={style}
          href={url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          title={url}
        >
          <VisuallyHidden>{url}</VisuallyHidden>
        </a>
      );
    }
    if (!link.dest) return null;
    const goTo = () =>
      pageOf(pdf, link.dest).then(
        (number) => number && onGoTo(number),
        () => {},
      );
    return (
      <button
        // biome-ignore lint/suspicious/noArrayIndexKey: the links of a page never change.
        key={n}
        type="button"
        className={classes.link}
        style={style}
        aria-label="Go to the linked page"
        onClick={() => void goTo()}
      />
    );
  });
}
