'use client';

import { type ReactNode, type Ref, useRef } from 'react';
import classes from './drop-zone.module.css';

type FileZoneProps = {
  ref?: Ref<HTMLDivElement>;
  onFiles: (files: File[]) => void;
  multiple?: boolean;
  /** Accessible names of the zone and of its file input. */
  label: string;
  inputLabel: string;
  /** Filter of the file picker, in the syntax of `<input accept>`. */
  accept: string;
  /** Receives a function that opens the file picker. */
  children: (openFiles: () => void) => ReactNode;
};

/** Shows a zone where users can choose files, for a page that accepts dropped files anywhere with `usePageDrop`. */
export function FileZone({ ref, onFiles, multiple, label, inputLabel, accept, children }: FileZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its own frame.
    <div ref={ref} role="group" aria-label={label} tabIndex={-1} className={classes.zone}>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        aria-label={inputLabel}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <div className={classes.inner}>{children(() => input.current?.click())}</div>
    </div>
  );
}
