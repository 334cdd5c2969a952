'use client';

import { FileButton, type FileButtonProps } from '@mantine/core';
import { useRef } from 'react';

type FilePickerProps = Pick<FileButtonProps<true>, 'accept' | 'disabled' | 'inputProps' | 'children'> & {
  multiple?: boolean;
  onFiles: (files: File[]) => void;
};

/** Passes `children` an `onClick` that opens a file picker. Choosing the same file again also calls `onFiles`. */
export function FilePicker({ onFiles, multiple = false, ...button }: FilePickerProps) {
  const reset = useRef<() => void>(null);
  return (
    <FileButton<boolean>
      {...button}
      multiple={multiple}
      resetRef={reset}
      onChange={(chosen) => {
        reset.current?.();
        const files = [chosen].flat().filter((file) => file !== null);
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
