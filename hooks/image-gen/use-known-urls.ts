'use client';

import { useState } from 'react';
import type { Variant } from '@/lib/image-gen/schema';
import { type KnownUrls, withKnownUrls } from './image-gen-state';

/**
 * Keeps the signed URLs of images as long as `withKnownUrls` does. Every read returns new URLs, and with a new URL the
 * browser would load the image again.
 */
function createKnownUrls() {
  let urls: Record<string, KnownUrls> = {};
  return {
    /** Returns the images with their known URLs, and keeps the URLs of new images. */
    keep(images: Variant[]): Variant[] {
      const known = withKnownUrls(urls, images, Date.now());
      urls = known.urls;
      return known.variants;
    },
    /** Forgets all URLs, for example after an image failed to load. */
    forget() {
      urls = {};
    },
  };
}

/** Returns a `createKnownUrls` object that lives as long as the component. */
export function useKnownUrls() {
  return useState(createKnownUrls)[0];
}
