'use client';

import { Box, Button, Image, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { imageSources } from '@/components/format/image-sources';
import type { SharedImage } from '@/lib/share-links/schema';
import classes from './share-page.module.css';
import { SharedLightbox } from './shared-lightbox';

/** A page with at most this many images shows them larger. */
const FEW = 3;

/** Returns the `sizes` attribute of an image, which states the image's maximum width in the page's layout. */
function sizesOf({ width, height }: SharedImage, isFew: boolean): string {
  const ratio = (width / height).toFixed(3);
  const widest = isFew ? `${ratio} * 80vh` : `${ratio} * 1.6 * clamp(14rem, 34vw, 26rem)`;
  return `(max-width: 36em) 100vw, min(100vw, ${widest})`;
}

type SharedImagesProps = {
  images: SharedImage[];
  /** The path of the share link. */
  base: string;
  allowDownload: boolean;
  /** The path of the first page, which has the newest images. Null on that page. */
  newestHref: string | null;
  /** The path of the page with the next older images. Null on the last page. */
  olderHref: string | null;
};

/** Shows the images of a share link in rows. A click opens an image full screen. */
export function SharedImages({ images, base, allowDownload, newestHref, olderHref }: SharedImagesProps) {
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const isFew = images.length <= FEW;
  const srcOf = ({ id }: SharedImage) => `${base}/images/${id}`;
  const sourcesOf = (image: SharedImage) => {
    const src = srcOf(image);
    return imageSources({ ...image, src, thumbnail: `${src}?thumbnail=true` });
  };
  return (
    <>
      {images.length === 0 ? (
        <p className={classes.quiet}>No images yet.</p>
      ) : (
        <ul className={classes.images} aria-label="Images" data-few={isFew}>
          {images.map((image, index) => (
            <Box component="li" key={image.id} __vars={{ '--ratio': String(image.width / image.height) }}>
              <UnstyledButton
                className={classes.open}
                aria-label={`Open image ${index + 1}`}
                onClick={() => setOpenIndex(index)}
              >
                <Image
                  {...sourcesOf(image)}
                  sizes={sizesOf(image, isFew)}
                  alt={image.prompt ?? `Image ${index + 1}`}
                  width={image.width}
                  height={image.height}
                  loading={index < 6 ? 'eager' : 'lazy'}
                  decoding="async"
                />
              </UnstyledButton>
            </Box>
          ))}
        </ul>
      )}
      {(newestHref !== null || olderHref !== null) && (
        <nav className={classes.pages} aria-label="Pages">
          {newestHref !== null && (
            <Button component="a" variant="default" href={newestHref}>
              Newest images
            </Button>
          )}
          {olderHref !== null && (
            <Button component="a" variant="default" href={olderHref}>
              Older images
            </Button>
          )}
        </nav>
      )}
      <SharedLightbox
        images={images}
        openIndex={openIndex}
        srcOf={srcOf}
        allowDownload={allowDownload}
        onOpen={setOpenIndex}
      />
    </>
  );
}
