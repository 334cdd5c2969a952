'use client';

import { ActionIcon, Button, Modal, Tooltip } from '@mantine/core';
import { useDidUpdate, useWindowEvent } from '@mantine/hooks';
import {
  IconBrush,
  IconChevronLeft,
  IconChevronRight,
  IconColumns2,
  IconCopy,
  IconDownload,
  IconPhoto,
  IconPhotoUp,
  type IconProps,
  IconStar,
  IconStarFilled,
  IconTrash,
  IconWand,
  IconX,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { type ComponentType, useRef, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { formatPercent } from '@/components/format/percent';
import { MadeBy } from '@/components/people/made-by';
import { ComparePair } from './compare-pair';
import { Filmstrip } from './filmstrip';
import classes from './lightbox.module.css';
import type { ShownVariant } from './runs';
import { useSingleKeysSetting } from './use-single-keys';
import { useImageZoom } from './use-zoom';
import type { VariantActions } from './variant-grid';
import { VariantImage } from './variant-image';
import { keyPans, ZOOM_STEP } from './zoom';

/** The actions that the full-screen view offers. */
type LightboxActions = Omit<
  VariantActions,
  'open' | 'show' | 'compare' | 'addToPage' | 'addWithSchedule' | 'swapMaterials'
>;

type LightboxProps = {
  projectId: string;
  variants: ShownVariant[];
  /** Key of the variant shown; null while the dialog is closed. */
  openKey: string | null;
  onOpen: (key: string) => void;
  onClose: () => void;
  actions: LightboxActions;
};

/** Two images to compare. The second is null until the user chooses it. */
type Comparison = { first: ShownVariant; second: ShownVariant | null };

/**
 * Shows one image full screen, dark in both color schemes. The left and right arrow keys and swipes step through all
 * images. Escape closes the view or, during a comparison, ends the comparison.
 */
export function Lightbox({ projectId, variants, openKey, onOpen, onClose, actions }: LightboxProps) {
  const index = variants.findIndex(({ key }) => key === openKey);
  const shown = variants[index];
  const [comparison, setComparison] = useState<Comparison | null>(null);
  return (
    <Modal.Root
      opened={shown !== undefined}
      onClose={onClose}
      onExitTransitionEnd={() => setComparison(null)}
      closeOnEscape={comparison === null}
      fullScreen
    >
      <Modal.Content className={classes.content}>
        {shown && (
          <Large
            projectId={projectId}
            shown={shown}
            index={index}
            variants={variants}
            onOpen={onOpen}
            onClose={onClose}
            comparison={comparison}
            onCompare={setComparison}
            actions={actions}
          />
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

/**
 * The CSS selector of the element to focus at each `step`. At `choice`, the user chooses the second image. At `pair`,
 * the user compares the two images. At `view`, the user is back in the normal view.
 */
const toFocus = { choice: 'ul button', pair: 'input[type=range]', view: '[aria-label=Compare]' };

type LargeProps = {
  projectId: string;
  shown: ShownVariant;
  index: number;
  variants: ShownVariant[];
  onOpen: (key: string) => void;
  onClose: () => void;
  comparison: Comparison | null;
  onCompare: (comparison: Comparison | null) => void;
  actions: LightboxActions;
};

function Large({ projectId, shown, index, variants, onOpen, onClose, comparison, ...rest }: LargeProps) {
  const { onCompare, actions } = rest;
  const { label, variant, prompt } = shown;
  const { refine, editRegion, startFrom, star, remove } = actions;
  const starred = variant.starred_at !== null;
  const [singleKeys] = useSingleKeysSetting();
  const move = (by: number) => {
    const next = variants[index + by];
    if (next) onOpen(next.key);
  };
  const { view, zoom, pan, reset, stageProps } = useImageZoom(shown.key, variant, move);
  const removeShown =
    remove &&
    (() => {
      const next = variants[index + 1] ?? variants[index - 1];
      if (next) onOpen(next.key);
      else onClose();
      remove(shown);
    });
  /** Returns a handler that closes the dialog, then runs an action that continues elsewhere on the page. */
  const leaveTo = (act: (shown: ShownVariant) => void) => () => {
    onClose();
    act(shown);
  };

  // Listen on the window, because the dialog does not have focus immediately after it opens.
  useWindowEvent('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (comparison) {
      if (event.key === 'Escape') onCompare(null);
      return;
    }
    if (event.shiftKey) {
      const by = keyPans.get(event.key);
      if (by) pan(by);
    }
    if (event.key === 'ArrowLeft' && !event.shiftKey) move(-1);
    if (event.key === 'ArrowRight' && !event.shiftKey) move(1);
    if (event.key === 'Delete' && !event.repeat) removeShown?.();
    if (!singleKeys) return;
    const key = event.key.toLowerCase();
    if (key === '+' || key === '=') zoom(ZOOM_STEP);
    if (key === '-') zoom(1 / ZOOM_STEP);
    if (key === '0') reset();
    if (event.repeat) return;
    if (key === 'd') actions.download(shown);
    if (key === 's') star?.(shown);
    if (key === 'r' && refine) {
      // Keep the letter out of the prompt, which `refine` focuses.
      event.preventDefault();
      leaveTo(refine)();
    }
  });

  const root = useRef<HTMLDivElement>(null);
  const step = comparison === null ? 'view' : comparison.second ? 'pair' : 'choice';
  // A new `step` can remove the element that had the focus, so move the focus to the control that the user needs next.
  useDidUpdate(() => {
    root.current?.querySelector<HTMLElement>(toFocus[step])?.focus();
  }, [step]);
  const compareTool = variants.length > 1 && (
    <Tool
      label={comparison ? 'Stop comparing' : 'Compare'}
      Icon={IconColumns2}
      onClick={() => onCompare(comparison ? null : { first: shown, second: null })}
    />
  );
  const closeTool = <Tool label="Close" Icon={IconX} className={classes.close} onClick={onClose} />;
  if (comparison) {
    const { first, second } = comparison;
    return (
      <div className={classes.large} ref={root}>
        <div className={classes.top}>
          <Modal.Title className={classes.title}>
            {second ? `Images ${first.label} and ${second.label}` : `Compare image ${first.label}`}
          </Modal.Title>
          <span className={classes.facts} role="status">
            {second ? 'Drag over the images, or use the arrow keys.' : 'Choose another image below.'}
          </span>
          <div className={classes.tools}>
            {compareTool}
            {closeTool}
          </div>
        </div>
        <div className={classes.compared}>
          {second ? (
            <ComparePair pair={[first, second]} onStale={actions.onStale} />
          ) : (
            <div className={classes.stage}>
              <VariantImage
                variant={first.variant}
                alt={`Image ${first.label} for: ${first.prompt}`}
                large
                className={classes.picture}
                onStale={actions.onStale}
              />
            </div>
          )}
        </div>
        <Filmstrip
          variants={variants.filter(({ key }) => key !== first.key)}
          openKey={second?.key ?? null}
          onOpen={(key) => onCompare({ first, second: variants.find((other) => other.key === key) ?? null })}
          onStale={actions.onStale}
        />
      </div>
    );
  }

  return (
    <div className={classes.large} ref={root}>
      <div className={classes.top}>
        <Modal.Title className={classes.title}>Image {label}</Modal.Title>
        <span className={classes.facts}>
          {variant.width} × {variant.height} · {index + 1} of {variants.length}
        </span>
        <span className={classes.facts}>
          <MadeBy projectId={projectId} userId={shown.createdBy} iso={variant.created_at} />
        </span>
        <div className={classes.tools}>
          <Tool label="Zoom out" Icon={IconZoomOut} onClick={() => zoom(1 / ZOOM_STEP)} />
          <span className={classes.scale}>{formatPercent(view.scale)}</span>
          <Tool label="Zoom in" Icon={IconZoomIn} onClick={() => zoom(ZOOM_STEP)} />
          {star && (
            <Tool
              label={starred ? 'Remove star' : 'Star'}
              Icon={starred ? IconStarFilled : IconStar}
              onClick={() => star(shown)}
            />
          )}
          {compareTool}
          <Tool label="Copy image" Icon={IconPhoto} onClick={() => actions.copyImage(shown)} />
          <Tool label="Copy prompt and seed" Icon={IconCopy} onClick={() => actions.copy(shown)} />
          <Tool label="Download" Icon={IconDownload} onClick={() => actions.download(shown)} />
          {editRegion && <Tool label="Edit a region" Icon={IconBrush} onClick={leaveTo(editRegion)} />}
          {startFrom && <Tool label="Use as input image" Icon={IconPhotoUp} onClick={leaveTo(startFrom)} />}
          {removeShown && <Tool label="Delete" Icon={IconTrash} onClick={removeShown} />}
          {refine && (
            <Button size="xs" leftSection={<IconWand size={14} />} onClick={leaveTo(refine)}>
              Refine
            </Button>
          )}
          {closeTool}
        </div>
      </div>
      <div className={classes.middle}>
        <div className={classes.stage} data-zoomed={view.scale > 1} {...stageProps}>
          <div
            className={classes.moved}
            style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
          >
            <VariantImage
              key={shown.key}
              variant={variant}
              alt={`Image ${label} for: ${prompt}`}
              large
              className={classes.picture}
              onStale={actions.onStale}
            />
          </div>
        </div>
        <Tool
          label="Previous image"
          Icon={IconChevronLeft}
          className={classes.back}
          disabled={index === 0}
          onClick={() => move(-1)}
        />
        <Tool
          label="Next image"
          Icon={IconChevronRight}
          className={classes.on}
          disabled={index === variants.length - 1}
          onClick={() => move(1)}
        />
      </div>
      {variants.length > 1 && (
        <Filmstrip variants={variants} openKey={shown.key} onOpen={onOpen} onStale={actions.onStale} />
      )}
      <Announcer text={`Image ${label}, ${index + 1} of ${variants.length}`} />
    </div>
  );
}

type ToolProps = {
  label: string;
  Icon: ComponentType<IconProps>;
  className?: string;
  disabled?: boolean;
  onClick: () => void;
};

function Tool({ label, Icon, className = '', disabled, onClick }: ToolProps) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon
        variant="transparent"
        size="lg"
        className={`${classes.tool} ${className}`}
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        <Icon size={20} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
