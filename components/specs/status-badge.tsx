import { IconAlertTriangle, IconCircleCheck, IconClock, IconLoader2 } from '@tabler/icons-react';
import { StatusPill } from '@/components/feedback/status-pill';
import type { SpecStatus } from '@/lib/specs/schema';

const looks = {
  pending: { label: 'Queued', Icon: IconClock, tone: 'quiet' },
  processing: { label: 'Processing', Icon: IconLoader2, tone: 'busy' },
  completed: { label: 'Done', Icon: IconCircleCheck, tone: 'good' },
  failed: { label: 'Failed', Icon: IconAlertTriangle, tone: 'bad' },
} as const satisfies Record<SpecStatus, unknown>;

export function statusLabel(status: SpecStatus): string {
  return looks[status].label;
}

export function StatusBadge({ status }: { status: SpecStatus }) {
  return <StatusPill {...looks[status]} />;
}
