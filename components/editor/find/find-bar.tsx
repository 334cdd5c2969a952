'use client';

import { ActionIcon, CloseButton, Group, Paper, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { focusCanvas } from '../canvas/focus-canvas';
import { useEditor, useEditorContext } from '../use-editor';
import classes from './find-bar.module.css';
import { findInPages } from './find-in-pages';

/** Searches the text of all pages. Stepping to a match opens its page and selects its element. */
export function FindBar({ onClose }: { onClose: () => void }) {
  const { store } = useEditorContext();
  const pages = useDeferredValue(useEditor(({ document }) => document.pages));
  const [query, setQuery] = useState('');
  const found = useMemo(() => findInPages(pages, query), [pages, query]);
  const [at, setAt] = useState<number | null>(null);

  const open = (direction: 1 | -1) => {
    if (found.length === 0) return;
    const next =
      at === null ? (direction > 0 ? 0 : found.length - 1) : (at + direction + found.length) % found.length;
    const match = found[next];
    if (!match) return;
    setAt(next);
    const selected = match.elementId === null ? [] : [match.elementId];
    store.dispatch({ type: 'page-opened', pageId: match.pageId, selected });
  };
  const close = () => {
    onClose();
    focusCanvas(store);
  };
  const message =
    query.trim() === ''
      ? ''
      : found.length === 0
        ? 'No matches'
        : at === null
          ? `${found.length} found`
          : `${Math.min(at + 1, found.length)} of ${found.length}`;
  return (
    <Paper
      component="search"
      withBorder
      shadow="md"
      p={6}
      className={classes.bar}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.nativeEvent.isComposing) close();
      }}
    >
      <Group gap={4} wrap="nowrap">
        <TextInput
          size="xs"
          type="search"
          aria-label="Find in the document"
          placeholder="Find in the document"
          maxLength={200}
          data-find=""
          autoFocus
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setAt(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            open(event.shiftKey ? -1 : 1);
          }}
        />
        <Text size="xs" c="dimmed" role="status" miw={64} ta="center">
          {message}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Previous match"
          disabled={found.length === 0}
          onClick={() => open(-1)}
        >
          <IconChevronUp size={16} stroke={1.6} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Next match"
          disabled={found.length === 0}
          onClick={() => open(1)}
        >
          <IconChevronDown size={16} stroke={1.6} />
        </ActionIcon>
        <CloseButton size="sm" aria-label="Close search" onClick={close} />
      </Group>
    </Paper>
  );
}
