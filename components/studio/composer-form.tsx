'use client';

import { type FormEventHandler, type ReactNode, useEffect, useRef } from 'react';
import composer from './composer.module.css';

type ComposerFormProps = { label: string; onSubmit: FormEventHandler<HTMLFormElement>; children: ReactNode };

/**
 * Renders the prompt form at the bottom of the window. Sets the CSS variable `--atelier-composer` to the form's height
 * plus a gap, so that notifications appear above the form.
 */
export function ComposerForm({ label, onSubmit, children }: ComposerFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!form.current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      style.setProperty('--atelier-composer', `calc(${height}px + 0.75rem)`);
    });
    observer.observe(form.current, { box: 'border-box' });
    return () => {
      observer.disconnect();
      style.removeProperty('--atelier-composer');
    };
  }, []);
  return (
    <form ref={form} onSubmit={onSubmit} noValidate className={composer.composer} aria-label={label}>
      {children}
    </form>
  );
}
