import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconClockExclamation,
  IconLoader2,
} from '@tabler/icons-react';
import { StatusPill } from '@/components/feedback/status-pill';
import type { SpecStatus } from '@/lib/specs/schema';

const looks = {
  pending: { label: 'Queued', Icon: IconClock, tone: 'quiet' },
  processing: { label: 'Processing', Icon: IconLoader2, tone: 'busy' },
  completed: { label: 'Done', Icon: IconCircleCheck, tone: 'good' },
  failed: { label: 'Failed', Icon: IconAlertTriangle, tone: 'bad' },
} as const satisfies Record<SpecStatus, unknown>;

const delayed = { label: 'Delayed', Icon: IconClockExclamation, tone: 'bad' } as const;

export function statusLabel(status: SpecStatus, isDelayed = false): string {
  return (isDelayed ? delayed : looks[status]).label;
}

type StatusBadgeProps = {
  status: SpecStatus;
  /** Whether the spec waits because the workflow service has not accepted it. "Queued" alone would not show this. */
  isDelayed?: boolean;
};

export function StatusBadge({ status, isDelayed = false }: StatusBadgeProps) {
  return <StatusPill {...(isDelayed ? delayed : looks[status])} />;
}
