'use client';

import { UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import classes from './lightbox.module.css';
import type { ShownVariant } from './runs';
import { VariantImage } from './variant-image';

type FilmstripProps = {
  variants: ShownVariant[];
  openKey: string | null;
  onOpen: (key: string) => void;
  onStale: () => void;
};

/** Shows a row of images to open, scrolled to keep the open one in view. */
export function Filmstrip({ variants, openKey, onOpen, onStale }: FilmstripProps) {
  return (
    <ul className={classes.strip} aria-label="All images">
      {variants.map((shown) => (
        <Frame
          key={shown.key}
          shown={shown}
          isOpen={shown.key === openKey}
          onOpen={onOpen}
          onStale={onStale}
        />
      ))}
    </ul>
  );
}

type FrameProps = {
  shown: ShownVariant;
  isOpen: boolean;
  onOpen: (key: string) => void;
  onStale: () => void;
};

const scrollIntoView = (frame: HTMLElement | null) =>
  frame?.scrollIntoView({ block: 'nearest', inline: 'center' });

const Frame = memo(function Frame({ shown, isOpen, onOpen, onStale }: FrameProps) {
  return (
    <li ref={isOpen ? scrollIntoView : undefined}>
      <UnstyledButton
        className={classes.frame}
        aria-label={`Show image ${shown.label}`}
        aria-current={isOpen || undefined}
        onClick={() => onOpen(shown.key)}
      >
        <VariantImage variant={shown.variant} alt="" onStale={onStale} />
      </UnstyledButton>
    </li>
  );
});
