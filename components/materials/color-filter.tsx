'use client';

import { IconCheck } from '@tabler/icons-react';
import { countOf } from '@/components/format/count';
import { type SearchResponse, type Swatch, swatches, swatchNames } from '@/lib/matlib/schema';
import classes from './material-filters.module.css';
import { swatchLabel } from './material-labels';

type ColorFilterProps = {
  value: Swatch | null;
  facets: SearchResponse['facets'];
  onChange: (color: Swatch | null) => void;
};

/** Filters materials by one color swatch. Clicking the selected swatch clears the filter. */
export function ColorFilter({ value, facets, onChange }: ColorFilterProps) {
  return (
    <section aria-labelledby="color-title">
      <h2 id="color-title" className={classes.title}>
        Color
      </h2>
      <ul className={classes.swatches}>
        {swatchNames.map((name) => {
          const count = facets?.colors[name] ?? 0;
          const label = swatchLabel(name);
          return (
            <li key={name}>
              <button
                type="button"
                className={classes.swatch}
                style={{ backgroundColor: swatches[name] }}
                data-light={name === 'white' || name === 'beige' || name === 'yellow'}
                // While colors are still being analyzed, any color may turn out to have matches.
                data-empty={facets?.colors_unknown === 0 && count === 0}
                aria-pressed={value === name}
                aria-label={facets ? `${label}, ${countOf(count, 'material')}` : label}
                title={facets ? `${label} (${count.toLocaleString('en')})` : label}
                onClick={() => onChange(value === name ? null : name)}
              >
                {value === name && <IconCheck size={18} stroke={2.4} aria-hidden="true" />}
              </button>
            </li>
          );
        })}
      </ul>
      {facets && facets.colors_unknown > 0 && (
        <p className={classes.note}>Analyzing colors: {facets.colors_unknown.toLocaleString('en')} left</p>
      )}
    </section>
  );
}
