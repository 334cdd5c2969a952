'use client';

import { Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { MAX_QUERY_LENGTH } from '@/lib/matlib/schema';

const SETTLE_MS = 250;
/** Maximum number of milliseconds between two searches that share one history entry. */
const STEP_MS = 1_500;

type MaterialSearchFieldProps = {
  ref: RefObject<HTMLInputElement | null>;
  q: string;
  onSearch: (q: string, how: 'push' | 'replace') => void;
  /** Called on the Down arrow key, to move the focus to the results. */
  onLeave: () => void;
};

/** Shows a search field that searches while the user types. */
export function MaterialSearchField({ ref, q, onSearch, onLeave }: MaterialSearchFieldProps) {
  const [text, setText] = useState(q);
  /** The last query that the field and the URL had in common, and the time of the field's last search. */
  const last = useRef({ q, searchedAt: 0 });
  const search = useDebouncedCallback((typed: string) => {
    const query = typed.trim();
    if (query === last.current.q) return;
    onSearch(query, Date.now() - last.current.searchedAt > STEP_MS ? 'push' : 'replace');
    last.current = { q: query, searchedAt: Date.now() };
  }, SETTLE_MS);

  // Update the text when something other than typing changes the query: back, forward, a tag, or "Clear search".
  useEffect(() => {
    if (q === last.current.q) return;
    search.cancel();
    last.current.q = q;
    setText(q);
  }, [q, search]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') search.flush();
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    onLeave();
  };
  return (
    <TextInput
      ref={ref}
      type="search"
      aria-label="Search materials"
      aria-keyshortcuts="/"
      placeholder="Search, e.g. oak floor, white marble, sunset"
      size="md"
      leftSection={<IconSearch size={18} />}
      rightSection={text === '' ? <Kbd visibleFrom="sm">/</Kbd> : null}
      rightSectionPointerEvents="none"
      value={text}
      maxLength={MAX_QUERY_LENGTH}
      autoComplete="off"
      spellCheck={false}
      onKeyDown={onKeyDown}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
