'use client';

import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  horizontalListSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { countOf } from '@/components/format/count';
import { PX_PER_MM } from '../geometry/zoom';
import { newPage } from '../new-elements';
import { withdrawOffers } from '../offer-restore';
import { useEditor, useEditorContext, useFrontSheets, usePageSize } from '../use-editor';
import { FrontSheets } from './front-sheets';
import classes from './page-strip.module.css';
import { StripPage } from './strip-page';

/** The longer side of a thumbnail in a vertical strip, in CSS pixels. */
const MINIATURE = 128;
/** The longer side of a thumbnail in a horizontal strip, in CSS pixels. */
const SMALL_MINIATURE = 92;
/** The height that a page in a vertical strip takes up in addition to its thumbnail, in CSS pixels. */
const SPACE_HEIGHT = 40;
/** The width that a page in a horizontal strip takes up in addition to its thumbnail, in CSS pixels. */
const SPACE_WIDTH = 20;

type PageStripProps = { horizontal: boolean; onSaveTemplate: (pageId: string) => void };

/**
 * Shows thumbnails of the document's cover, contents and pages. Users can open these sheets. Those who can edit can
 * also add, reorder, duplicate and delete pages. Renders only the visible pages and a few next to them.
 */
export const PageStrip = memo(function PageStrip({ horizontal, onSaveTemplate }: PageStripProps) {
  const { store, canEdit } = useEditorContext();
  const pages = useEditor(({ document }) => document.pages);
  const lastId = useEditor(({ pageId }) => pageId);
  const openId = useEditor(({ pageId, sheet }) => (sheet.kind === 'page' ? pageId : null));
  const front = useFrontSheets();
  const size = usePageSize();
  const list = useRef<HTMLDivElement>(null);
  // Whether the focus was last in the strip. `document.activeElement` alone does not tell, because removing the focused
  // page moves the focus to `document.body`.
  const within = useRef(false);
  const [draggedId, setDraggedId] = useState<string | null>(null);

  const scale = (horizontal ? SMALL_MINIATURE : MINIATURE) / (Math.max(size.width, size.height) * PX_PER_MM);
  const step = horizontal
    ? size.width * PX_PER_MM * scale + SPACE_WIDTH
    : size.height * PX_PER_MM * scale + SPACE_HEIGHT;
  const openAt = pages.findIndex(({ id }) => id === openId);
  const draggedAt = draggedId === null ? -1 : pages.findIndex(({ id }) => id === draggedId);
  // Keep the dragged page mounted while the list scrolls.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);
      return draggedAt < 0 || shown.includes(draggedAt) ? shown : [...shown, draggedAt].sort((a, b) => a - b);
    },
    [draggedAt],
  );
  const virtualizer = useVirtualizer({
    count: pages.length,
    horizontal,
    getScrollElement: () => list.current,
    scrollMargin: front.length * step,
    estimateSize: () => step,
    getItemKey: (index) => pages[index]?.id ?? index,
    overscan: 3,
    rangeExtractor,
  });
  useEffect(() => withdrawOffers, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another paper size changes the size of the thumbnails.
  useEffect(() => virtualizer.measure(), [step, virtualizer]);
  useEffect(() => {
    if (openAt >= 0) virtualizer.scrollToIndex(openAt, { align: 'auto' });
    // If the focus is in the strip, keep it on the open page.
    const { activeElement } = document;
    const hasFocus =
      list.current?.contains(activeElement) || (within.current && activeElement === document.body);
    if (hasFocus && openId !== null) {
      const selector = `[data-open="${CSS.escape(openId)}"]`;
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
    }
  }, [openAt, openId, virtualizer]);

  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  // Keep the same array until pages are added, removed or reordered, because a new array re-renders all items.
  const idList = pages.map(({ id }) => id).join();
  const ids = useMemo(() => (idList === '' ? [] : idList.split(',')), [idList]);
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    setDraggedId(null);
    if (!over || over.id === active.id) return;
    store.dispatch({ type: 'page-moved', pageId: String(active.id), to: ids.indexOf(String(over.id)) });
  };

  return (
    <nav
      className={classes.strip}
      data-horizontal={horizontal}
      aria-label="Pages"
      onFocus={() => {
        within.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        within.current = relatedTarget === null;
      }}
    >
      <Group justify="space-between" gap={4} className={classes.head} wrap="nowrap">
        <Text size="xs" c="dimmed">
          {countOf(pages.length, 'page')}
        </Text>
        {canEdit && (
          <Tooltip label="Add a page">
            <ActionIcon
              variant="default"
              aria-label="Add a page"
              onClick={() => store.dispatch({ type: 'pages-added', pages: [newPage()], after: lastId })}
            >
              <IconPlus size={16} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <div ref={list} className={classes.scroller}>
        {front.length > 0 && (
          <FrontSheets sheets={front} size={size} scale={scale} length={step} horizontal={horizontal} />
        )}
        <DndContext
          id="pages"
          sensors={sensors}
          collisionDetection={closestCenter}
          onDragStart={({ active }) => setDraggedId(String(active.id))}
          onDragCancel={() => setDraggedId(null)}
          onDragEnd={onDragEnd}
        >
          <SortableContext
            items={ids}
            strategy={horizontal ? horizontalListSortingStrategy : verticalListSortingStrategy}
          >
            <ol
              className={classes.list}
              style={{ [horizontal ? 'width' : 'height']: virtualizer.getTotalSize() }}
            >
              {virtualizer.getVirtualItems().map(({ index, start, size: length }) => {
                const page = pages[index];
                return (
                  page && (
                    <StripPage
                      key={page.id}
                      page={page}
                      index={index}
                      count={pages.length}
                      number={front.length + index + 1}
                      size={size}
                      scale={scale}
                      start={start - virtualizer.options.scrollMargin}
                      length={length}
                      horizontal={horizontal}
                      onSaveTemplate={onSaveTemplate}
                      isOpen={page.id === openId}
                    />
                  )
                );
              })}
            </ol>
          </SortableContext>
        </DndContext>
      </div>
    </nav>
  );
});
