'use client';

import { Button, Group, Text } from '@mantine/core';
import { useCallback } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { countOf } from '@/components/format/count';
import classes from './material-browser.module.css';
import { MaterialGrid } from './material-grid';
import { MaterialGridSkeleton } from './material-grid-skeleton';
import { MaterialListEmpty } from './material-notices';
import type { MaterialUrl } from './material-url';
import type { MaterialSearch } from './use-material-search';

/** The next page loads when the end of the list is less than this many pixels below the viewport. */
const AHEAD_PX = 1_500;

type MaterialResultsProps = {
  search: MaterialSearch;
  url: MaterialUrl;
  onOpen: (id: string) => void;
};

/** Shows the results of a search, with infinite scrolling. */
export function MaterialResults({ search, url, onOpen }: MaterialResultsProps) {
  const { items, response, nextOffset, loading, failure, loadMore } = search;
  const mayLoad = nextOffset !== null && loading === 'no' && failure === null;
  // Create a new observer after each page. An existing observer would not fire again while the end of the list stays in
  // range, but a new one does.
  const loadAhead = useCallback(
    (end: HTMLElement | null) => {
      if (!end) return;
      const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && loadMore(), {
        rootMargin: `${AHEAD_PX}px`,
      });
      observer.observe(end);
      return () => observer.disconnect();
    },
    [loadMore],
  );

  if (failure?.of === 'replacing' && loading === 'no') {
    return (
      <ErrorAlert title="The materials could not be loaded" error={failure.error} onRetry={search.retry} />
    );
  }
  if (!response) return <MaterialGridSkeleton />;
  return (
    <div className={classes.results} aria-busy={loading === 'replacing'} data-stale={loading === 'replacing'}>
      {items.length === 0 ? (
        <MaterialListEmpty response={response} url={url} />
      ) : (
        <MaterialGrid items={items} url={url} onOpen={onOpen} />
      )}
      {mayLoad && <div ref={loadAhead} />}
      {failure?.of === 'more' && (
        <ErrorAlert title="More materials could not be loaded" error={failure.error} onRetry={search.retry} />
      )}
      {nextOffset !== null && failure === null && (
        <Group justify="center">
          <Button variant="default" onClick={loadMore} loading={loading === 'more'}>
            Show more
          </Button>
        </Group>
      )}
      {nextOffset === null && items.length > 24 && (
        <Text size="sm" c="dimmed" ta="center">
          Showing all {countOf(items.length, 'material')}
        </Text>
      )}
    </div>
  );
}
