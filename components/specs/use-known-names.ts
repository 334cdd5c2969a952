'use client';

import { useCallback, useMemo, useState } from 'react';
import { createNameIfMissing, type NameKind } from '@/components/catalogue/catalogue-calls';
import { showError } from '@/components/feedback/show-error';
import type { KnownNames } from './guess-facts';

/** Returns the given brand and area names plus those added since, and a function that adds a brand or an area. */
export function useKnownNames({ brands, areas }: KnownNames) {
  const [added, setAdded] = useState<Record<NameKind, string[]>>({ brand: [], area: [] });
  // `names` and `create` are memoized, so that a change in one row does not re-render the others.
  const names = useMemo(
    (): KnownNames => ({
      brands: [...new Set([...brands, ...added.brand])],
      areas: [...new Set([...areas, ...added.area])],
    }),
    [brands, areas, added],
  );
  /** Adds a brand or area unless it already exists, and passes its name to `use`. Shows an error on failure. */
  const create = useCallback(async (kind: NameKind, name: string, use: (created: string) => void) => {
    try {
      const created = await createNameIfMissing(kind, name);
      setAdded((current) => ({ ...current, [kind]: [...current[kind], created] }));
      use(created);
    } catch (error) {
      showError(`${name} was not added`, error);
    }
  }, []);
  return { names, create };
}
