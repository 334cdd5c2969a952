import { LRUCache } from 'lru-cache';
import { fairQueue } from '@/lib/storage/fair-queue';

const CACHE_BYTES = 64 * 1024 * 1024;

// Stored files never change, so a view of a path stays valid.
const views = new LRUCache<string, Blob>({ maxSize: CACHE_BYTES, sizeCalculation: ({ size }) => size + 1 });

/**
 * Returns the view with this name, which `make` makes if it is not cached. Only views that must be made wait: they are
 * made one at a time, because a decoded image is large, and users take turns.
 */
export async function cachedView(name: string, userId: string, make: () => Promise<Blob>): Promise<Blob> {
  const cached = views.get(name);
  if (cached) return cached;
  return fairQueue('image-views').run(userId, async () => {
    // It may have been made while this request was waiting.
    const view = views.get(name) ?? (await make());
    views.set(name, view);
    return view;
  });
}
