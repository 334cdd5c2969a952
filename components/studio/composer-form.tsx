'use client';

import type { FormEventHandler, ReactNode } from 'react';
import composer from './composer.module.css';

type ComposerFormProps = { label: string; onSubmit: FormEventHandler<HTMLFormElement>; children: ReactNode };

/** Sets the CSS variable `--atelier-composer` to the form's height plus a gap. Returns a function that removes it. */
function reserveSpace(form: HTMLFormElement | null) {
  if (!form) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(([entry]) => {
    const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
    style.setProperty('--atelier-composer', `calc(${height}px + 0.75rem)`);
  });
  observer.observe(form, { box: 'border-box' });
  return () => {
    observer.disconnect();
    style.removeProperty('--atelier-composer');
  };
}

/** Renders the prompt form at the bottom of the window. Notifications appear above it. */
export function ComposerForm({ label, onSubmit, children }: ComposerFormProps) {
  return (
    <form ref={reserveSpace} onSubmit={onSubmit} noValidate className={composer.composer} aria-label={label}>
      {children}
    </form>
  );
}
