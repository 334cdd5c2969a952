'use client';

import { Dropzone, type DropzoneProps } from '@mantine/dropzone';
import { type ReactNode, type Ref, useRef } from 'react';
import classes from './drop-zone.module.css';

type DropZoneProps = Pick<DropzoneProps, 'onDrop' | 'multiple' | 'mt'> & {
  ref?: Ref<HTMLDivElement>;
  /** The accessible name of the zone. */
  label: string;
  /** The accessible name of the zone's file input. */
  inputLabel: string;
  /** Filter of the file picker, in the syntax of `<input accept>`. */
  accept: string;
  size?: 'md' | 'lg';
  /** Receives a function that opens the file picker. */
  children: (openFiles: () => void) => ReactNode;
};

/**
 * Shows a zone where users can drop or choose files. Passes files of any type and size to `onDrop`, which can then
 * explain why it rejects a file.
 */
export function DropZone({ label, inputLabel, accept, size = 'md', children, ...zone }: DropZoneProps) {
  const openFiles = useRef<() => void>(null);
  return (
    <Dropzone
      {...zone}
      openRef={openFiles}
      activateOnClick={false}
      activateOnKeyboard={false}
      enablePointerEvents
      tabIndex={-1}
      role="group"
      aria-label={label}
      className={classes.zone}
      data-size={size}
      data-drop-zone=""
      inputProps={{ accept, 'aria-label': inputLabel, tabIndex: -1 }}
    >
      <div className={classes.inner}>{children(() => openFiles.current?.())}</div>
    </Dropzone>
  );
}
