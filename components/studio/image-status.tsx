import { IconAlertTriangle, IconBan, IconCircleCheck, IconClock, IconLoader2 } from '@tabler/icons-react';
import { StatusPill } from '@/components/feedback/status-pill';
import type { ImageStatus } from '@/lib/image-gen/schema';

const looks = {
  queued: { label: 'Queued', Icon: IconClock, tone: 'quiet' },
  running: { label: 'Processing', Icon: IconLoader2, tone: 'busy' },
  succeeded: { label: 'Done', Icon: IconCircleCheck, tone: 'good' },
  failed: { label: 'Failed', Icon: IconAlertTriangle, tone: 'bad' },
  canceled: { label: 'Canceled', Icon: IconBan, tone: 'quiet' },
} as const satisfies Record<ImageStatus, unknown>;

/** Returns the displayed label of a status. */
export function imageStatusLabel(status: ImageStatus): string {
  return looks[status].label;
}

/** Shows the status of an image job or of one run. */
export function ImageStatusBadge({ status }: { status: ImageStatus }) {
  return <StatusPill {...looks[status]} />;
}
