'use client';

import { useDebouncedValue } from '@mantine/hooks';
import { useEffect } from 'react';
import { matchFiles } from './spec-calls';
import { useUploads } from './upload-queue-provider';
import { filesToMatch, type UploadItem } from './upload-tray-state';

/** How long the files must stay unchanged before a lookup, in ms. Otherwise, each typed letter would start a lookup. */
const SETTLE_MS = 400;

/** Items whose lookup has started and has not failed. Editing a file replaces its item, so a new lookup follows. */
const requested = new WeakSet<UploadItem>();

/**
 * Looks up the specs that the files to upload are probably newer versions of. A match is only a suggestion, so failures
 * are not shown; the next change retries the lookup.
 */
export function useMatches(items: readonly UploadItem[]): void {
  const { setMatches } = useUploads();
  const [settled] = useDebouncedValue(items, SETTLE_MS);

  useEffect(() => {
    const files = filesToMatch(settled).filter((item) => !requested.has(item));
    if (files.length === 0) return;
    for (const item of files) requested.add(item);
    const facts = files.map(({ file, brandName, area, propertyName }) => {
      return { fileName: file.name, brandName, area, propertyName };
    });
    matchFiles(facts).then(
      (matches) =>
        setMatches(files.map((item, n) => ({ id: item.id, facts: item, match: matches[n] ?? null }))),
      () => {
        for (const item of files) requested.delete(item);
      },
    );
  }, [settled, setMatches]);
}
