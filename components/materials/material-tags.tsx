'use client';

import type { MouseEvent } from 'react';
import type { SearchItem } from '@/lib/matlib/schema';
import { applyUrl } from './apply-url';
import classes from './material-detail.module.css';
import { initialMaterialUrl, type MaterialUrl, materialsHref } from './material-url';

/** Shows a material's tags, each linked to a search for it. */
export function MaterialTags({ item, url }: { item: SearchItem; url: MaterialUrl }) {
  return (
    <section aria-labelledby="tags-title">
      <h3 id="tags-title" className={classes.heading}>
        Tags
      </h3>
      <ul className={classes.tags}>
        {item.tags.map((tag) => {
          const found = { ...initialMaterialUrl, type: item.type, q: tag, sort: url.sort };
          const onClick = (event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            applyUrl(found, 'push');
          };
          return (
            <li key={tag}>
              <a href={materialsHref(found)} className={classes.tag} onClick={onClick}>
                {tag}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
