import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconLoader2,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import { StatusPill } from '@/components/feedback/status-pill';
import type { ImageJob, ImageStatus } from '@/lib/image-gen/schema';

const looks = {
  queued: { label: 'Queued', Icon: IconClock, tone: 'quiet' },
  running: { label: 'Processing', Icon: IconLoader2, tone: 'busy' },
  succeeded: { label: 'Done', Icon: IconCircleCheck, tone: 'good' },
  failed: { label: 'Failed', Icon: IconAlertTriangle, tone: 'bad' },
  canceled: { label: 'Canceled', Icon: IconBan, tone: 'quiet' },
} as const satisfies Record<ImageStatus, unknown>;

export function imageStatusLabel(status: ImageStatus): string {
  return looks[status].label;
}

/** Returns whether the current run has to be sent again because the workflow service has not accepted it. */
export function isServiceDown({ status, retrying }: Pick<ImageJob, 'status' | 'retrying'>): boolean {
  return status === 'queued' && retrying !== null;
}

type ImageStatusBadgeProps = {
  status: ImageStatus;
  /** Whether the run waits because the workflow service is down. The label "Queued" alone would not show this. */
  isDown?: boolean;
};

/** Shows the status of an image job or of one run. */
export function ImageStatusBadge({ status, isDown = false }: ImageStatusBadgeProps) {
  return isDown ? (
    <StatusPill label="No response" Icon={IconPlugConnectedX} tone="bad" />
  ) : (
    <StatusPill {...looks[status]} />
  );
}
