import { countOf } from '@/components/format/count';
import { type ShareLink, shareDays } from '@/lib/share-links/schema';

/** How long a link can stay active, as `Select` options. */
export const shareExpiryChoices = shareDays.map((days) => ({
  value: String(days),
  label: countOf(days, 'day'),
}));

/** Returns what a share link shows, such as `3 images`. */
export function shownBy({ kind, imageCount }: Pick<ShareLink, 'kind' | 'imageCount'>): string {
  return { images: countOf(imageCount, 'image'), gallery: 'Gallery', document: 'Document' }[kind];
}
