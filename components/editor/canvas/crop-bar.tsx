'use client';

import { ActionIcon, Button, Paper, Slider } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { maxZoom } from '../geometry/crop';
import { useEditorContext } from '../use-editor';
import classes from './canvas.module.css';
import { CROP_ZOOM_STEP, keepKey } from './canvas-keys';
import { type Cropped, useCrop } from './use-crop';

type CropBarProps = Cropped & { onEnd: () => void };

/** Shows the zoom slider and the buttons for the image that is being cropped. */
export function CropBar({ element, image, onEnd }: CropBarProps) {
  const { store } = useEditorContext();
  const { part, full, zoom, change, setPart } = useCrop({ element, image });
  const end = (apply: boolean) => {
    store.dispatch({ type: 'cropping-ended', apply });
    onEnd();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Do not let the canvas handle the key. It would handle keys such as Escape and the arrow keys differently.
    keepKey(event);
    if (event.key === 'Escape') end(false);
  };
  const icon = { variant: 'subtle', color: 'gray', size: 'md' } as const;
  return (
    <Paper
      className={classes.cropBar}
      data-crop=""
      role="toolbar"
      aria-label="Crop"
      withBorder
      shadow="md"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.stopPropagation()}
    >
      <ActionIcon
        {...icon}
        aria-label="Zoom image out"
        onClick={() => change(part, { zoom: zoom / CROP_ZOOM_STEP })}
      >
        <IconMinus size={16} stroke={1.6} />
      </ActionIcon>
      <Slider
        className={classes.cropZoom}
        size="sm"
        min={100}
        max={Math.max(Math.round(maxZoom(full) * 100), 101)}
        value={Math.round(zoom * 100)}
        label={(value) => `${value}%`}
        thumbLabel="Zoom of the image"
        onChange={(percent) => change(part, { zoom: percent / 100 })}
      />
      <ActionIcon
        {...icon}
        aria-label="Zoom image in"
        onClick={() => change(part, { zoom: zoom * CROP_ZOOM_STEP })}
      >
        <IconPlus size={16} stroke={1.6} />
      </ActionIcon>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setPart(full)}>
        Reset
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => end(false)}>
        Cancel
      </Button>
      <Button size="compact-sm" onClick={() => end(true)}>
        Apply
      </Button>
    </Paper>
  );
}
