'use client';

import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconDotsVertical, IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useDeferredValue, useState } from 'react';
import type { PageData } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { PagePaper } from '../canvas/paper';
import { PX_PER_MM } from '../geometry/zoom';
import mark from '../overflow-mark.module.css';
import { useEditorContext } from '../use-editor';
import classes from './page-strip.module.css';
import { removePageFromStrip } from './remove-page';
import { useHasOverflow } from './use-has-overflow';

type StripPageProps = {
  page: PageData;
  index: number;
  count: number;
  /** The printed page number. */
  number: number;
  size: SheetSize;
  /** Scale factor; 1 is the actual size. */
  scale: number;
  /** Offset in the strip, in CSS pixels. */
  start: number;
  /** Length in the strip, in CSS pixels. */
  length: number;
  horizontal: boolean;
  isOpen: boolean;
  onSaveTemplate: (pageId: string) => void;
};

/** Shows one page in the strip: a thumbnail that opens the page, a drag handle and a menu. */
export const StripPage = memo(function StripPage(props: StripPageProps) {
  const { page, index, count, number, size, scale, start, length, horizontal, isOpen, onSaveTemplate } =
    props;
  const { store, canEdit } = useEditorContext();
  const { id } = page;
  // The thumbnail may lag behind the canvas during a drag.
  const shown = useDeferredValue(page);
  const [miniature, setMiniature] = useState<HTMLElement | null>(null);
  const hasOverflow = useHasOverflow(miniature, shown);
  const label = `Page ${number}${page.title ? `: ${page.title}` : ''}`;
  const sortable = useSortable({ id, disabled: !canEdit });
  const move = (to: number) => store.dispatch({ type: 'page-moved', pageId: id, to });
  const open = (at: number) => {
    const next = store.get().document.pages[at];
    if (next) store.dispatch({ type: 'page-opened', pageId: next.id });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (direction && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      if (event.altKey && canEdit) move(index + direction);
      else open(index + direction);
    } else if (event.key === 'Delete' && canEdit) {
      event.preventDefault();
      removePageFromStrip(store, id);
    }
  };

  return (
    <li
      className={classes.item}
      style={
        horizontal
          ? { width: length, transform: `translateX(${start}px)` }
          : { height: length, transform: `translateY(${start}px)` }
      }
    >
      <div
        ref={sortable.setNodeRef}
        className={classes.page}
        data-open-page={isOpen}
        data-dragging={sortable.isDragging}
        style={{
          transform: CSS.Translate.toString(sortable.transform),
          transition: sortable.transition,
        }}
      >
        <div
          ref={setMiniature}
          className={`${classes.miniature} ${mark.marked}`}
          data-overflows={hasOverflow || undefined}
          style={{ width: size.width * PX_PER_MM * scale, height: size.height * PX_PER_MM * scale }}
        >
          <PagePaper page={shown} number={number} scale={scale} />
          {/* The button lies on top of the paper, because a button must not contain headings, tables or links. */}
          <UnstyledButton
            className={classes.open}
            data-open={id}
            aria-current={isOpen ? 'page' : undefined}
            aria-label={hasOverflow ? `${label}. Some content does not fit` : label}
            onClick={() => store.dispatch({ type: 'page-opened', pageId: id })}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => sortable.listeners?.onPointerDown?.(event)}
          />
        </div>
        <div className={classes.label}>
          {canEdit && (
            <ActionIcon
              size="xs"
              variant="transparent"
              color="gray"
              className={classes.tool}
              ref={sortable.setActivatorNodeRef}
              {...sortable.attributes}
              {...sortable.listeners}
              aria-label={`Move ${label}`}
            >
              <IconGripVertical size={12} stroke={1.6} />
            </ActionIcon>
          )}
          <Text size="xs" truncate className={classes.words} aria-hidden="true">
            {number}
            {!horizontal && page.title && <span className={classes.title}> {page.title}</span>}
          </Text>
          {canEdit && (
            <Menu position="bottom-end" withinPortal>
              <Menu.Target>
                <ActionIcon
                  size="xs"
                  variant="subtle"
                  color="gray"
                  className={classes.tool}
                  aria-label={`More for ${label}`}
                >
                  <IconDotsVertical size={14} stroke={1.6} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => store.dispatch({ type: 'page-duplicated', pageId: id })}>
                  Duplicate
                </Menu.Item>
                <Menu.Item onClick={() => onSaveTemplate(id)}>Save as template</Menu.Item>
                <Menu.Item disabled={index === 0} onClick={() => move(index - 1)}>
                  Move up
                </Menu.Item>
                <Menu.Item disabled={index === count - 1} onClick={() => move(index + 1)}>
                  Move down
                </Menu.Item>
                <Menu.Divider />
                <Menu.Item color="red" onClick={() => removePageFromStrip(store, id)}>
                  Delete
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </div>
      </div>
    </li>
  );
});
