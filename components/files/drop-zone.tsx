'use client';

import { Dropzone, type DropzoneProps } from '@mantine/dropzone';
import { type ReactNode, type Ref, useRef } from 'react';
import classes from './drop-zone.module.css';

type DropZoneProps = Pick<DropzoneProps, 'onDrop' | 'multiple' | 'mt'> & {
  ref?: Ref<HTMLDivElement>;
  /** What a screen reader calls the zone, and what it calls the choice of files in it. */
  label: string;
  inputLabel: string;
  /** What the choice of files shows first, as `<input accept>` takes it. */
  accept: string;
  size?: 'md' | 'lg';
  /** Gets what opens the choice of files, for a button. */
  children: (openFiles: () => void) => ReactNode;
};

/**
 * Where files are dropped or chosen. It takes files of any kind and size: one that cannot be used is told with its reason
 * by who uses it, not swallowed.
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
      inputProps={{ accept, 'aria-label': inputLabel, tabIndex: -1 }}
    >
      <div className={classes.inner}>{children(() => openFiles.current?.())}</div>
    </Dropzone>
  );
}
