'use client';

import type { ReactNode } from 'react';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import classes from './drop-zone.module.css';
import { FilePicker } from './file-picker';

type FileZoneProps = {
  onFiles: (files: File[]) => void;
  multiple?: boolean;
  /** The accessible name of the zone. */
  label: string;
  /** The accessible name of the zone's file input. */
  inputLabel: string;
  /** Filter of the file picker, in the syntax of `<input accept>`. */
  accept: string;
  /** Receives a function that opens the file picker. */
  children: (openFiles: () => void) => ReactNode;
};

/** Shows a zone for choosing files, on a page where `usePageDrop` accepts files dropped anywhere. */
export function FileZone({ onFiles, multiple, label, inputLabel, accept, children }: FileZoneProps) {
  const keptFocus = useKeptFocus<HTMLDivElement>();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its own frame.
    <div role="group" aria-label={label} tabIndex={-1} className={classes.zone} {...keptFocus}>
      <FilePicker
        multiple={multiple}
        accept={accept}
        inputProps={{ 'aria-label': inputLabel }}
        onFiles={onFiles}
      >
        {({ onClick }) => <div className={classes.inner}>{children(onClick)}</div>}
      </FilePicker>
    </div>
  );
}
