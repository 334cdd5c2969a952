'use client';

import { Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useSearchParams } from 'next/navigation';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { countOf } from '@/components/format/count';
import { useOnline } from '@/hooks/use-online';
import type { Source } from '@/lib/matlib/schema';
import { applyUrl } from './apply-url';
import { CategoryFilter } from './category-filter';
import { ColorFilter } from './color-filter';
import classes from './material-browser.module.css';
import { MaterialCredit } from './material-credit';
import { MaterialDrawer } from './material-drawer';
import { matchNote, typeCounts } from './material-list';
import { StaleNotice } from './material-notices';
import { MaterialResults } from './material-results';
import { MaterialSearchField } from './material-search-field';
import { MaterialToolbar } from './material-toolbar';
import { type MaterialUrl, parseMaterialUrl, searchKey } from './material-url';
import { type FirstPage, useMaterialSearch } from './use-material-search';
import { useSlashKey } from './use-slash-key';

type MaterialBrowserProps = { source: Source; initial: FirstPage | null };

/**
 * Shows the material library: search, filters, the grid and the open material. The URL holds their state. `initial` is
 * null if the server could not read the first results in time.
 */
export function MaterialBrowser({ source, initial }: MaterialBrowserProps) {
  const params = useSearchParams();
  const url = useMemo(() => parseMaterialUrl(new URLSearchParams(params.toString())), [params]);
  const key = searchKey(url);
  const search = useMaterialSearch(key, initial);
  const online = useOnline();
  const [filtersOpened, setFiltersOpened] = useState(false);
  const filtersId = useId();
  const field = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLDivElement>(null);
  /** Whether the open material has its own history entry, so that closing it can go back. */
  const openedHere = useRef(false);
  useSlashKey(field);

  useEffect(() => {
    if (url.material === null) openedHere.current = false;
  }, [url.material]);

  // Scroll to the first results when the search changes.
  useDidUpdate(() => {
    if ((main.current?.getBoundingClientRect().top ?? 0) < 0) main.current?.scrollIntoView();
  }, [key]);

  const change = (next: Partial<MaterialUrl>, how: 'push' | 'replace' = 'push') =>
    applyUrl({ ...url, ...next }, how);
  const open = (id: string) => {
    change({ material: id });
    openedHere.current = true;
  };
  const close = () => {
    if (openedHere.current) window.history.back();
    else change({ material: null }, 'replace');
  };

  const response = search.key === key ? search.response : null;
  const facets = search.response?.facets;
  const note = response && matchNote(response);
  return (
    <div className={classes.browser}>
      <MaterialToolbar
        url={url}
        counts={url.q && search.response ? typeCounts(search.response) : {}}
        onChange={change}
        filters={{
          id: filtersId,
          opened: filtersOpened,
          toggle: () => setFiltersOpened(!filtersOpened),
        }}
      />
      <aside id={filtersId} className={classes.filters} data-opened={filtersOpened} aria-label="Filters">
        <ColorFilter value={url.color} facets={facets} onChange={(color) => change({ color })} />
        <CategoryFilter
          chosen={url.categories}
          facets={facets}
          onChange={(categories) => change({ categories })}
        />
      </aside>
      <div ref={main} className={classes.main}>
        <div className={classes.top}>
          <MaterialSearchField
            ref={field}
            q={url.q}
            onSearch={(q, how) => change({ q }, how)}
            onLeave={() => document.querySelector<HTMLElement>('a[data-id][tabindex="0"]')?.focus()}
          />
          <div className={classes.line}>
            <Text size="sm" fw={600} component="span">
              {response ? countOf(response.total, 'material') : search.failure ? '' : 'Searching …'}
            </Text>
            <MaterialCredit source={search.response?.source ?? source} />
          </div>
        </div>
        {!online && !search.failure && <OfflineBanner />}
        {response?.stale && <StaleNotice fetchedAt={response.fetched_at} />}
        {note && <Text size="sm">{note}</Text>}
        <MaterialResults search={search} url={url} onOpen={open} />
      </div>
      <MaterialDrawer
        id={url.material}
        known={search.items.find(({ id }) => id === url.material) ?? null}
        url={url}
        onClose={close}
        onClosed={(id) => {
          const card = document.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
          if (document.activeElement === document.body) card?.focus({ preventScroll: true });
        }}
      />
      <Announcer text={search.announcement} />
    </div>
  );
}
