'use client';

import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { SearchResponse } from '@/lib/matlib/schema';
import classes from './material-filters.module.css';
import { capitalized } from './material-labels';
import { categoryCounts } from './material-list';

const SHOWN = 14;

type CategoryFilterProps = {
  chosen: string[];
  facets: SearchResponse['facets'];
  onChange: (categories: string[]) => void;
};

/**
 * Filters materials by category. Lists the selected categories first. The other categories follow, sorted by their
 * number of results in descending order. A material must be in all selected categories to match.
 */
export function CategoryFilter({ chosen, facets, onChange }: CategoryFilterProps) {
  const [whole, setWhole] = useState(false);
  const counts = categoryCounts(facets);
  const shown = whole ? counts : counts.slice(0, SHOWN);
  if (!facets && chosen.length === 0) return null;
  return (
    <section aria-labelledby="category-title">
      <h2 id="category-title" className={classes.title}>
        Categories
      </h2>
      <ul className={classes.categories}>
        {chosen.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={classes.category}
              aria-pressed="true"
              onClick={() => onChange(chosen.filter((other) => other !== name))}
            >
              <span>{capitalized(name)}</span>
              <IconX size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
        {shown.map(([name, count]) => (
          <li key={name}>
            <button
              type="button"
              className={classes.category}
              aria-pressed="false"
              onClick={() => onChange([...chosen, name])}
            >
              <span>{capitalized(name)}</span>
              <span className={classes.count}>{count.toLocaleString('en')}</span>
            </button>
          </li>
        ))}
      </ul>
      {counts.length > SHOWN && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Show fewer' : `Show all ${counts.length}`}
        </Button>
      )}
      {facets && counts.length === 0 && chosen.length === 0 && <p className={classes.note}>None</p>}
    </section>
  );
}
