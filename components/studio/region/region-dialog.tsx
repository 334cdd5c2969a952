'use client';

import { Button, Group, Modal, SegmentedControl, Slider, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import {
  IconArrowBackUp,
  IconBrush,
  IconContrast,
  IconEraser,
  IconRectangle,
  IconTrash,
} from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useReducer, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import lightbox from '../lightbox.module.css';
import type { ShownVariant } from '../runs';
import { VariantImage } from '../variant-image';
import { isPainted } from './draw-mask';
import { MaskCanvas } from './mask-canvas';
import {
  type MaskPoint,
  maskOf,
  maskReducer,
  movedByKey,
  picturePoint,
  positionOf,
  type Tool,
} from './mask-state';
import type { Region } from './region';
import classes from './region.module.css';

type RegionDialogProps = {
  /** The image to paint on; null while the dialog is closed. */
  shown: ShownVariant | null;
  /** The region already painted on this image; null if there is none. */
  region: Region | null;
  onClose: () => void;
  /** Called after the dialog has closed. */
  onClosed: () => void;
  onUse: (region: Region) => void;
  onStale: () => void;
};

/** Shows a full-screen dialog in which the user paints the region to change in an image. */
export function RegionDialog({ shown, region, onClose, onClosed, ...rest }: RegionDialogProps) {
  return (
    <Modal.Root
      opened={shown !== null}
      onClose={onClose}
      fullScreen
      closeOnEscape={false}
      returnFocus={false}
      onExitTransitionEnd={onClosed}
    >
      <Modal.Content className={lightbox.content}>
        {shown && <Painting key={shown.key} shown={shown} region={region} onClose={onClose} {...rest} />}
      </Modal.Content>
    </Modal.Root>
  );
}

/** The brush radius, as a percentage of the picture's longer side. */
const RADIUS = { min: 0.5, max: 20, initial: 4 };

type PaintingProps = Omit<RegionDialogProps, 'shown' | 'onClosed'> & { shown: ShownVariant };

function Painting({ shown, region, onClose, onUse, onStale }: PaintingProps) {
  const { variant, label, key } = shown;
  const [mask, dispatch] = useReducer(maskReducer, region?.marks ?? [], maskOf);
  const [kind, setKind] = useState<Tool['kind']>('stroke');
  const [erases, setErases] = useState(false);
  const [percent, setPercent] = useState(RADIUS.initial);
  const [brush, setBrush] = useState<MaskPoint>({ x: variant.width / 2, y: variant.height / 2 });
  const [isMissing, setMissing] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const helpId = useId();
  const { marks, current } = mask;
  const shownMarks = useMemo(() => (current ? [...marks, current] : marks), [marks, current]);
  const radius = (percent / 100) * Math.max(variant.width, variant.height);
  const tool = { kind, erases, radius };

  const pointAt = (event: PointerEvent): MaskPoint =>
    picturePoint(
      { x: event.clientX, y: event.clientY },
      event.currentTarget.getBoundingClientRect(),
      variant,
    );
  const start = (at: MaskPoint) => {
    setMissing(false);
    dispatch({ type: 'started', tool, at });
  };
  const undo = () => {
    dispatch({ type: 'undone' });
    setAnnouncement('Undone.');
  };
  // Listen on the window so that the keys work from every element of the dialog.
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape') {
      if (current) dispatch({ type: 'abandoned' });
      else onClose();
    }
    if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      event.preventDefault();
      undo();
    }
  });
  const onPaintKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = movedByKey(event.key, event.shiftKey, brush, variant);
    if (to) {
      event.preventDefault();
      setBrush(to);
      dispatch({ type: 'moved', to });
      setAnnouncement(positionOf(to, variant));
    }
    if (event.key === ' ' && !event.repeat) {
      event.preventDefault();
      const verb = (current?.erases ?? erases) ? 'Erasing' : 'Painting';
      if (current) dispatch({ type: 'finished' });
      else start(brush);
      setAnnouncement(current ? `${verb} finished.` : `${verb} at ${positionOf(brush, variant)}`);
    }
  };
  const use = () => {
    if (!isPainted(shownMarks, variant)) return setMissing(true);
    const { width, height } = variant;
    onUse({ imageKey: key, label, picture: { width, height }, marks: shownMarks });
  };

  return (
    <div className={classes.dialog}>
      <div className={classes.tools}>
        <Modal.Title className={lightbox.title}>Region of image {label}</Modal.Title>
        <SegmentedControl
          size="xs"
          aria-label="Tool"
          value={kind}
          onChange={(value) => setKind(value === 'rectangle' ? value : 'stroke')}
          data={[
            { value: 'stroke', label: <ToolLabel Icon={IconBrush} text="Brush" /> },
            { value: 'rectangle', label: <ToolLabel Icon={IconRectangle} text="Rectangle" /> },
          ]}
        />
        <Button
          size="xs"
          variant={erases ? 'filled' : 'default'}
          aria-pressed={erases}
          leftSection={<IconEraser size={14} />}
          onClick={() => setErases(!erases)}
        >
          Erase
        </Button>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" id={`${helpId}-size`}>
            Brush size
          </Text>
          <Slider
            w={120}
            size="sm"
            thumbProps={{ 'aria-labelledby': `${helpId}-size` }}
            label={null}
            min={RADIUS.min}
            max={RADIUS.max}
            step={0.5}
            value={percent}
            onChange={setPercent}
            disabled={kind === 'rectangle'}
          />
        </Group>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowBackUp size={14} />}
            disabled={mask.past.length === 0 && !current}
            onClick={undo}
          >
            Undo
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconContrast size={14} />}
            onClick={() => {
              dispatch({ type: 'inverted' });
              setAnnouncement('Inverted.');
            }}
          >
            Invert
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={14} />}
            disabled={marks.length === 0}
            onClick={() => {
              dispatch({ type: 'cleared' });
              setAnnouncement('Cleared.');
            }}
          >
            Clear
          </Button>
        </Group>
        <Group gap="xs" className={classes.finish}>
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="xs" onClick={use}>
            Use region
          </Button>
        </Group>
      </div>
      <div className={classes.stage}>
        <div
          className={classes.picture}
          style={{
            aspectRatio: `${variant.width} / ${variant.height}`,
            width: `min(100%, calc(100cqh * ${variant.width / variant.height}))`,
          }}
        >
          <VariantImage variant={variant} alt="" large onStale={onStale} />
          <div
            role="application"
            aria-roledescription="painting area"
            aria-label={`Image ${label}`}
            aria-describedby={helpId}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys and Space paint in this area.
            tabIndex={0}
            data-autofocus
            className={classes.area}
            onKeyDown={onPaintKey}
            onPointerDown={(event) => {
              if (!event.isPrimary || event.button !== 0) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              setBrush(pointAt(event));
              start(pointAt(event));
            }}
            onPointerMove={(event) => {
              if (!event.isPrimary) return;
              setBrush(pointAt(event));
              if (event.buttons > 0) dispatch({ type: 'moved', to: pointAt(event) });
            }}
            onPointerUp={(event) => event.isPrimary && dispatch({ type: 'finished' })}
            onPointerCancel={(event) => event.isPrimary && dispatch({ type: 'abandoned' })}
          >
            <MaskCanvas marks={shownMarks} picture={variant} />
            <span
              className={classes.brush}
              data-kind={kind}
              data-erases={erases}
              style={{
                insetInlineStart: `${(brush.x / variant.width) * 100}%`,
                insetBlockStart: `${(brush.y / variant.height) * 100}%`,
                ...(kind === 'stroke' && { width: `${((2 * radius) / variant.width) * 100}%` }),
              }}
            />
          </div>
        </div>
      </div>
      <div className={classes.help}>
        {isMissing && (
          <Text size="sm" role="alert">
            Paint the region to change first.
          </Text>
        )}
        <Text size="sm" id={helpId} className={classes.hint}>
          Paint what should change.{' '}
          <span className={classes.keys}>
            By keyboard, arrow keys move the brush, and Space starts and finishes painting.
          </span>
        </Text>
        {/* Screen readers get the announcements below instead, which include the brush position. */}
        <Text size="sm" aria-hidden="true" className={classes.state}>
          {current && (current.erases ? 'Erasing …' : 'Painting …')}
        </Text>
        <Announcer text={announcement} />
      </div>
    </div>
  );
}

function ToolLabel({ Icon, text }: { Icon: typeof IconBrush; text: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Icon size={14} aria-hidden="true" />
      {text}
    </Group>
  );
}
