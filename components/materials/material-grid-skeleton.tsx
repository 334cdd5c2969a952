import { Skeleton } from '@mantine/core';
import classes from './material-grid.module.css';

const cards = Array.from({ length: 18 }, (_, index) => index);

export function MaterialGridSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading">
      {cards.map((card) => (
        <div key={card} className={classes.ghost}>
          <Skeleton className={classes.square} />
          <Skeleton height={12} width="70%" />
        </div>
      ))}
    </div>
  );
}
