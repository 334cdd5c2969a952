'use client';

import type { MouseEvent } from 'react';
import type { SearchItem } from '@/lib/matlib/schema';
import { applyAddress } from './apply-address';
import { type MaterialAddress, materialsHref, startAddress } from './material-address';
import classes from './material-detail.module.css';

/** The tags of a material, each a link to a search. */
export function MaterialTags({ item, address }: { item: SearchItem; address: MaterialAddress }) {
  return (
    <section aria-labelledby="tags-title">
      <h3 id="tags-title" className={classes.heading}>
        Tags
      </h3>
      <ul className={classes.tags}>
        {item.tags.map((tag) => {
          const found = { ...startAddress, type: item.type, q: tag, sort: address.sort };
          const onClick = (event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            applyAddress(found, 'push');
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
