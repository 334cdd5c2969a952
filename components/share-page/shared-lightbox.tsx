'use client';

import { ActionIcon, Image, Modal, Tooltip } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconX,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { Announcer } from '@/components/feedback/announcer';
import frame from '@/components/studio/lightbox.module.css';
import { useImageZoom } from '@/components/studio/use-zoom';
import { keyPans, ZOOM_STEP } from '@/components/studio/zoom';
import type { SharedImage } from '@/lib/share-links/schema';
import classes from './share-page.module.css';

type SharedLightboxProps = {
  images: SharedImage[];
  /** The index of the image shown; null while the view is closed. */
  openIndex: number | null;
  srcOf: (image: SharedImage) => string;
  allowDownload: boolean;
  onOpen: (index: number | null) => void;
};

/**
 * Shows one image full screen. The view is dark in both color schemes. The left and right arrow keys and swipes step
 * through the images. Shift with an arrow key pans, `+`, `-` and `0` zoom, and Escape closes the view.
 */
export function SharedLightbox({ openIndex, onOpen, ...rest }: SharedLightboxProps) {
  const index = openIndex ?? -1;
  const image = rest.images[index];
  return (
    <Modal.Root opened={image !== undefined} onClose={() => onOpen(null)} fullScreen>
      <Modal.Content className={frame.content}>
        {image && <Large image={image} index={index} onOpen={onOpen} {...rest} />}
      </Modal.Content>
    </Modal.Root>
  );
}

type LargeProps = Omit<SharedLightboxProps, 'openIndex'> & { image: SharedImage; index: number };

function Large({ image, images, index, srcOf, allowDownload, onOpen }: LargeProps) {
  const label = `Image ${index + 1} of ${images.length}`;
  const step = (by: number) => {
    if (images[index + by]) onOpen(index + by);
  };
  const { view, zoom, pan, reset, stageProps } = useImageZoom(image.id, image, step);
  // Listen on the window, because the dialog does not have focus immediately after it opens.
  useWindowEvent('keydown', ({ key, ctrlKey, metaKey, altKey, shiftKey }) => {
    if (ctrlKey || metaKey || altKey) return;
    const by = keyPans.get(key);
    if (by && shiftKey) pan(by);
    if (key === 'ArrowLeft' && !shiftKey) step(-1);
    if (key === 'ArrowRight' && !shiftKey) step(1);
    if (key === '+' || key === '=') zoom(ZOOM_STEP);
    if (key === '-') zoom(1 / ZOOM_STEP);
    if (key === '0') reset();
  });
  return (
    <div className={frame.large}>
      <div className={frame.top}>
        <Modal.Title className={frame.title}>{label}</Modal.Title>
        <div className={`${frame.tools} ${classes.tools}`}>
          <Tooltip label="Zoom out" openDelay={400}>
            <ActionIcon {...tool} aria-label="Zoom out" onClick={() => zoom(1 / ZOOM_STEP)}>
              <IconZoomOut {...icon} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Zoom in" openDelay={400}>
            <ActionIcon {...tool} aria-label="Zoom in" onClick={() => zoom(ZOOM_STEP)}>
              <IconZoomIn {...icon} />
            </ActionIcon>
          </Tooltip>
          {allowDownload && (
            <Tooltip label="Download" openDelay={400}>
              <ActionIcon
                {...tool}
                component="a"
                href={`${srcOf(image)}?download=true`}
                download
                aria-label="Download"
              >
                <IconDownload {...icon} />
              </ActionIcon>
            </Tooltip>
          )}
          <ActionIcon
            {...tool}
            className={`${frame.tool} ${frame.close}`}
            aria-label="Close"
            onClick={() => onOpen(null)}
          >
            <IconX {...icon} />
          </ActionIcon>
        </div>
      </div>
      <div className={frame.middle}>
        <div className={frame.stage} data-zoomed={view.scale > 1} {...stageProps}>
          <div
            className={frame.moved}
            style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
          >
            <Image
              key={image.id}
              src={srcOf(image)}
              alt={image.prompt ?? label}
              className={frame.picture}
              draggable={false}
            />
          </div>
        </div>
        <ActionIcon
          {...tool}
          className={`${frame.tool} ${frame.back}`}
          aria-label="Previous image"
          disabled={index === 0}
          onClick={() => step(-1)}
        >
          <IconChevronLeft {...icon} />
        </ActionIcon>
        <ActionIcon
          {...tool}
          className={`${frame.tool} ${frame.on}`}
          aria-label="Next image"
          disabled={index === images.length - 1}
          onClick={() => step(1)}
        >
          <IconChevronRight {...icon} />
        </ActionIcon>
      </div>
      {image.prompt !== null && <p className={classes.prompt}>{image.prompt}</p>}
      <Announcer text={label} />
    </div>
  );
}

const icon = { size: 20, stroke: 1.6 } as const;
const tool = { variant: 'transparent', size: 'lg', className: frame.tool } as const;
