import { LRUCache } from 'lru-cache';
import { fairQueue } from '@/lib/process/fair-queue';

const CACHE_BYTES = 64 * 1024 * 1024;

// Stored images never change, so a cached view never becomes outdated.
const views = new LRUCache<string, Blob>({ maxSize: CACHE_BYTES, sizeCalculation: ({ size }) => size + 1 });

/**
 * Returns the cached view with this name, or calls `make` and caches its result. Makes only one view at a time, because
 * a decoded image is large. Waiting users take turns.
 */
export async function cachedView(name: string, userId: string, make: () => Promise<Blob>): Promise<Blob> {
  const cached = views.get(name);
  if (cached) return cached;
  return fairQueue('image-views').run(userId, async () => {
    // Another request may have made the view while this one was waiting.
    const view = views.get(name) ?? (await make());
    views.set(name, view);
    return view;
  });
}
