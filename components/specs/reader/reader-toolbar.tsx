'use client';

import { ActionIcon, CloseButton, Group, NumberInput, Select, Text, TextInput, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconMinus, IconPlus, IconSearch } from '@tabler/icons-react';
import type { KeyboardEvent, RefObject } from 'react';
import classes from './pdf-reader.module.css';
import type { SearchMatches } from './use-find';
import { type ReaderZoom, zoomStep } from './zoom';

type ReaderToolbarProps = {
  page: number;
  pages: number;
  zoom: ReaderZoom;
  scale: number;
  maxScale: number;
  q: string;
  found: SearchMatches;
  /** The index of the current match, from 0; -1 if there are no matches. */
  at: number;
  search: RefObject<HTMLInputElement | null>;
  onPage: (page: number) => void;
  onZoom: (zoom: ReaderZoom) => void;
  onSearch: (q: string) => void;
  onStep: (direction: 1 | -1) => void;
  onLeaveSearch: () => void;
};

/** Returns text that describes the matches of the search `q`. `pages` is the number of pages in the document. */
export function describeFound(q: string, found: SearchMatches, at: number, pages: number): string {
  if (!q.trim()) return '';
  const { matches, isLoose, isRunning } = found;
  const isPartial = !isRunning && found.pages < pages;
  const where = isPartial ? ` in the first ${found.pages.toLocaleString('en')} pages` : '';
  if (matches.length === 0) return isRunning ? 'Searching…' : `No matches${where}`;
  const position = `${(at + 1).toLocaleString('en')} of ${matches.length.toLocaleString('en')}`;
  return `${position}${isRunning ? ' so far' : where}${isLoose ? ' (single words)' : ''}`;
}

/** Shows the controls of the reader: page, zoom and search. */
export function ReaderToolbar(props: ReaderToolbarProps) {
  const { page, pages, zoom, scale, maxScale, q, found, at, search, onPage, onZoom, onSearch, onStep } =
    props;
  const percent = `${Math.round(scale * 100)}%`;
  const searchKeys = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onStep(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onSearch('');
      props.onLeaveSearch();
    }
  };
  const button = (label: string, icon: typeof IconPlus, onClick: () => void, disabled = false) => {
    const Icon = icon;
    return (
      <Tooltip label={label}>
        <ActionIcon variant="default" size="lg" aria-label={label} disabled={disabled} onClick={onClick}>
          <Icon size={16} />
        </ActionIcon>
      </Tooltip>
    );
  };

  return (
    <div role="toolbar" aria-label="PDF controls" className={classes.toolbar}>
      <Group gap={6} wrap="nowrap">
        <NumberInput
          aria-label="Page"
          className={classes.pageField}
          value={page}
          min={1}
          max={pages}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          onValueChange={({ floatValue }, { source }) => {
            if (source === 'event' && floatValue && floatValue <= pages) onPage(floatValue);
          }}
        />
        <Text size="sm" className={classes.pages}>
          of {pages.toLocaleString('en')}
        </Text>
      </Group>
      <Group gap={6} wrap="nowrap">
        {button('Zoom out', IconMinus, () => onZoom(zoomStep(scale, -1)), scale <= 0.25)}
        <Select
          aria-label="Zoom"
          className={classes.zoom}
          allowDeselect={false}
          value={String(zoom)}
          data={[
            { value: 'width', label: 'Fit width' },
            { value: 'page', label: 'Fit page' },
            {
              value: typeof zoom === 'number' ? String(zoom) : '1',
              label: typeof zoom === 'number' ? percent : '100%',
            },
          ]}
          onChange={(value) => onZoom(value === 'width' || value === 'page' ? value : Number(value))}
        />
        {button('Zoom in', IconPlus, () => onZoom(zoomStep(scale, 1, maxScale)), scale >= maxScale)}
      </Group>
      <Group gap={6} className={classes.search}>
        <TextInput
          ref={search}
          aria-label="Search in the PDF"
          placeholder="Search in the PDF"
          className={classes.searchField}
          leftSection={<IconSearch size={16} />}
          rightSection={
            q ? <CloseButton size="sm" aria-label="Clear search" onClick={() => onSearch('')} /> : null
          }
          value={q}
          maxLength={200}
          onChange={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={searchKeys}
        />
        {button('Previous match', IconChevronUp, () => onStep(-1), found.matches.length === 0)}
        {button('Next match', IconChevronDown, () => onStep(1), found.matches.length === 0)}
        <Text size="sm" c="dimmed" role="status" className={classes.count}>
          {describeFound(q, found, at, pages)}
        </Text>
      </Group>
    </div>
  );
}
