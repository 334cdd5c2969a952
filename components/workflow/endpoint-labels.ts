import type { EventDelivery, EventEndpoint, EventType } from '@/lib/event-endpoints/schema';

export const eventLabels: Record<EventType, string> = {
  'spec.completed': 'Spec completed',
  'spec.failed': 'Spec failed',
  'image.succeeded': 'Image succeeded',
  'image.failed': 'Image failed',
  'export.completed': 'Export completed',
  'export.failed': 'Export failed',
};

type Pill = { label: string; tone: 'quiet' | 'good' | 'bad' };

export function endpointPill({ pausedAt, failingSince }: EventEndpoint): Pill {
  if (pausedAt) return { label: 'Paused', tone: 'bad' };
  return failingSince ? { label: 'Failing', tone: 'bad' } : { label: 'Active', tone: 'good' };
}

export function deliveryPill({ state, attempts, reason }: EventDelivery): Pill {
  switch (state) {
    case 'delivered':
      return { label: 'Delivered', tone: 'good' };
    case 'failed':
      return { label: 'Gave up', tone: 'bad' };
    case 'held':
      return { label: 'Held', tone: 'quiet' };
    case 'pending':
      return { label: reason && attempts > 0 ? 'Retrying' : 'Queued', tone: 'quiet' };
  }
}

/** Returns the title of a delivery, such as `Spec completed: lobby.pdf` or `Export failed`. */
export function deliveryTitle({ type, label }: Pick<EventDelivery, 'type' | 'label'>): string {
  return label ? `${eventLabels[type]}: ${label}` : eventLabels[type];
}
