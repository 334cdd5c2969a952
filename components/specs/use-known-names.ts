'use client';

import { useCallback, useMemo, useState } from 'react';
import { createNameIfMissing, type NameKind } from '@/components/catalogue/catalogue-calls';
import { showError } from '@/components/feedback/show-error';
import type { KnownNames } from './guess-facts';

/** Returns the names of the page with those that were added since, and a function that adds a brand or an area. */
export function useKnownNames({ brands, areas }: KnownNames) {
  const [added, setAdded] = useState<Record<NameKind, string[]>>({ brand: [], area: [] });
  // Both stay the same across renders, so that a change in one row does not render the others.
  const names = useMemo(
    (): KnownNames => ({
      brands: [...new Set([...brands, ...added.brand])],
      areas: [...new Set([...areas, ...added.area])],
    }),
    [brands, areas, added],
  );
  /** Adds a name, which somebody else may have added, and passes it to `use`. Shows an error if that fails. */
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
