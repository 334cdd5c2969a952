'use client';

import { Alert, Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconAlertTriangle, IconDownload, IconRefresh } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { OpenedPdf, PdfProblem, PdfSource } from './open-pdf';
import { PageThumbnails } from './page-thumbnails';
import { PdfPage } from './pdf-page';
import classes from './pdf-reader.module.css';
import { ReaderToolbar } from './reader-toolbar';
import { type Match, useFind } from './use-find';
import { usePdf } from './use-pdf';
import { largestScale, PAGE_GAP_PX, type PageSize, type ReaderZoom, scaleOf, zoomStep } from './zoom';

const problems: Record<PdfProblem, string> = {
  missing: 'The file is missing.',
  offline: 'The file could not be loaded. Check the connection.',
  password: 'The PDF needs a password.',
  damaged: 'The PDF is damaged. Another program may be able to open it.',
  stuck: 'The PDF is too complex to show here.',
};

/** The size assumed for all pages until the first page size is known: A4 in CSS pixels. */
const A4: PageSize = { width: 794, height: 1123 };
const NO_MATCHES: Match[] = [];

/** A page to scroll to. Passing a new object scrolls again, even to the same page. */
export type ReaderTarget = { page: number };

type PdfReaderProps = {
  source: PdfSource;
  initialSearch: string;
  target: ReaderTarget;
  onDownload: () => void;
  /** Renders the side panel, given the thumbnails. They are null until the PDF is open. */
  renderSide: (thumbnails: ReactNode) => ReactNode;
};

type Props = PdfReaderProps & { pdf: OpenedPdf; onError: (error: unknown) => void };

function OpenReader({ pdf, target, initialSearch, renderSide, onError }: Props) {
  const pages = pdf.document.numPages;
  const view = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const { ref: measured, width, height } = useElementSize();
  const viewRef = useMergedRef(view, measured);
  const [zoom, setZoom] = useState<ReaderZoom>('width');
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map());
  const [page, setPage] = useState(1);
  const [q, setQ] = useState(initialSearch);
  const [chosen, setChosen] = useState<Match | null>(null);
  const toShow = useRef<Match | null>(null);
  const found = useFind(pdf, q, onError);

  const fallback = sizes.values().next().value ?? A4;
  const sizeOf = useCallback((number: number) => sizes.get(number) ?? fallback, [sizes, fallback]);
  const onSize = useCallback((number: number, size: PageSize) => {
    setSizes((current) => {
      const same = current.get(number);
      if (same?.width === size.width && same.height === size.height) return current;
      return new Map(current).set(number, size);
    });
  }, []);

  const isMeasured = width > 0;
  const maxScale = useMemo(() => {
    const known = [...sizes.values()].reduce((sum, { height }) => sum + height, 0);
    return largestScale(known + (pages - sizes.size) * fallback.height);
  }, [sizes, pages, fallback]);
  const scaleOfPage = (number: number) => scaleOf(zoom, sizeOf(number), { width, height }, maxScale);
  const scale = scaleOfPage(page);
  const virtualizer = useVirtualizer({
    count: pages,
    enabled: isMeasured,
    getScrollElement: () => view.current,
    estimateSize: (index) => sizeOf(index + 1).height * scaleOfPage(index + 1),
    gap: PAGE_GAP_PX,
    paddingStart: PAGE_GAP_PX,
    paddingEnd: PAGE_GAP_PX,
    overscan: 1,
    onChange: ({ scrollOffset, range }) => {
      if (scrollOffset === null || !range) return;
      const middle = virtualizer.getVirtualItemForOffset(scrollOffset + height / 3);
      if (middle) setPage(middle.index + 1);
    },
  });

  const goTo = useCallback(
    (number: number) => {
      const index = Math.min(Math.max(number, 1), pages) - 1;
      virtualizer.scrollToIndex(index, { align: 'start' });
      setPage(index + 1);
    },
    [virtualizer, pages],
  );

  const keepPageInView = useEffectEvent(() => {
    virtualizer.measure();
    virtualizer.scrollToIndex(page - 1, { align: 'start' });
  });
  // The height matters only for the zoom `page`. Otherwise, ignore height changes, which also occur when a phone hides
  // its address bar.
  const fittedHeight = zoom === 'page' ? height : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new zoom or the first known size moves all pages.
  useEffect(() => keepPageInView(), [zoom, width, fittedHeight, fallback, virtualizer]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page whose size becomes known moves those below it.
  useEffect(() => virtualizer.measure(), [sizes, virtualizer]);
  useEffect(() => {
    if (isMeasured) goTo(target.page);
  }, [target, goTo, isMeasured]);

  const byPage = useMemo(() => Map.groupBy(found.matches, (match) => match.page), [found.matches]);
  const { matches } = found;
  // Start with the first match on or after the current page.
  const nearest = matches.find((match) => match.page >= page) ?? matches[0];
  const chosenAt = chosen ? matches.findIndex((m) => m.page === chosen.page && m.start === chosen.start) : -1;
  const at = chosenAt >= 0 ? chosenAt : nearest ? matches.indexOf(nearest) : -1;
  const step = (direction: 1 | -1) => {
    const next = matches[chosenAt < 0 ? at : (at + direction + matches.length) % matches.length];
    if (!next) return;
    setChosen(next);
    toShow.current = next;
    if (next.page !== page) goTo(next.page);
  };

  const keys = (event: KeyboardEvent) => {
    // Ignore key events from menus and dialogs. These are rendered outside this element, but React bubbles their events
    // here too.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
    const isTyping = event.target instanceof HTMLInputElement;
    const isFind = event.key === 'f' && (event.ctrlKey || event.metaKey);
    if (isFind || (event.key === '/' && !isTyping)) {
      event.preventDefault();
      search.current?.select();
      return;
    }
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = new Map([
      ['PageDown', () => goTo(page + 1)],
      ['PageUp', () => goTo(page - 1)],
      ['Home', () => goTo(1)],
      ['End', () => goTo(pages)],
      ['+', () => setZoom(zoomStep(scale, 1, maxScale))],
      ['=', () => setZoom(zoomStep(scale, 1, maxScale))],
      ['-', () => setZoom(zoomStep(scale, -1))],
      ['0', () => setZoom('width')],
    ]).get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key handler serves all of the reader's controls.
    <div className={classes.reader} onKeyDown={keys}>
      <ReaderToolbar
        page={page}
        pages={pages}
        zoom={zoom}
        scale={scale}
        maxScale={maxScale}
        q={q}
        found={found}
        at={at}
        search={search}
        onPage={goTo}
        onZoom={setZoom}
        onSearch={(text) => {
          setQ(text);
          setChosen(null);
        }}
        onStep={step}
        onLeaveSearch={() => view.current?.focus()}
      />
      {renderSide(<PageThumbnails pdf={pdf} sizeOf={sizeOf} page={page} onGoTo={goTo} />)}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: makes it scrollable by keyboard. */}
      <section ref={viewRef} className={classes.view} tabIndex={0} aria-label="PDF">
        <div className={classes.all} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <div key={index} className={classes.row} style={{ transform: `translateY(${start}px)` }}>
              <PdfPage
                pdf={pdf}
                number={index + 1}
                scale={scaleOfPage(index + 1)}
                size={sizeOf(index + 1)}
                matches={byPage.get(index + 1) ?? NO_MATCHES}
                current={chosenAt >= 0 ? matches[chosenAt] : undefined}
                toShow={toShow}
                onSize={onSize}
                onGoTo={goTo}
                onError={onError}
              />
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}

/** Shows a PDF with its pages, zoom, search and thumbnails. */
export function PdfReader(props: PdfReaderProps) {
  const { state, open, fail } = usePdf(props.source);
  if (state.status === 'open') return <OpenReader {...props} pdf={state.pdf} onError={fail} />;
  return (
    <div className={classes.reader}>
      {props.renderSide(null)}
      {state.status === 'opening' ? (
        <Center className={classes.view} role="status" aria-label="Opening the PDF">
          <Loader />
        </Center>
      ) : (
        <Center className={classes.view} p="md">
          <Alert
            color="red"
            variant="outline"
            icon={<IconAlertTriangle size={20} />}
            title="The PDF could not be shown"
          >
            <Stack gap="sm">
              <Text size="sm">{problems[state.problem]}</Text>
              <Group gap="sm">
                <Button size="xs" leftSection={<IconRefresh size={14} />} onClick={open}>
                  Try again
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconDownload size={14} />}
                  onClick={props.onDownload}
                >
                  Download PDF
                </Button>
              </Group>
            </Stack>
          </Alert>
        </Center>
      )}
    </div>
  );
}
