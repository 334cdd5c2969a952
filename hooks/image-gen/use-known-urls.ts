'use client';

import { useState } from 'react';
import type { Variant } from '@/lib/image-gen/schema';
import { type KnownUrls, withKnownUrls } from './image-gen-state';

/**
 * Keeps the signed URLs of images while they are valid. Every read returns new ones, with which the browser would load
 * the images again.
 */
function createKnownUrls() {
  let urls: Record<string, KnownUrls> = {};
  return {
    /** Returns the images with their known URLs, and remembers the URLs of those that are new. */
    keep(images: Variant[]): Variant[] {
      const known = withKnownUrls(urls, images, Date.now());
      urls = known.urls;
      return known.variants;
    },
    /** Forgets all URLs, for example after an image did not load. */
    forget() {
      urls = {};
    },
  };
}

/** Returns the known URLs of a component. See `createKnownUrls`. */
export function useKnownUrls() {
  return useState(createKnownUrls)[0];
}
