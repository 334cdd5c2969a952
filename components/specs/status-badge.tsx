import { IconAlertTriangle, IconCircleCheck, IconClock, IconLoader2 } from '@tabler/icons-react';
import type { SpecStatus } from '@/lib/specs/schema';
import classes from './status-badge.module.css';

const looks = {
  pending: { label: 'Pending', Icon: IconClock },
  processing: { label: 'Processing', Icon: IconLoader2 },
  completed: { label: 'Completed', Icon: IconCircleCheck },
  failed: { label: 'Failed', Icon: IconAlertTriangle },
} as const satisfies Record<SpecStatus, unknown>;

/** The word for a status. */
export function statusLabel(status: SpecStatus): string {
  return looks[status].label;
}

/** A status by word, sign and colour, so that none of them has to be told from colour alone. */
export function StatusBadge({ status }: { status: SpecStatus }) {
  const { label, Icon } = looks[status];
  return (
    <span className={classes.badge} data-status={status}>
      <Icon size={16} stroke={1.8} aria-hidden="true" className={classes.icon} />
      {label}
    </span>
  );
}
