'use client';

import { useImageUploads } from '@/components/projects/use-image-uploads';
import type { InputImage } from './job-draft';

export type InputImageUpload = {
  /** The fraction of bytes sent, 0 to 1; null if no upload is in progress. */
  progress: number | null;
  error: string | null;
  send: (file: File) => void;
  cancel: () => void;
};

/** Uploads one input image at a time; a new upload cancels the one in progress. */
export function useInputImageUpload(
  projectId: string,
  onUploaded: (image: InputImage) => void,
): InputImageUpload {
  const { pending, send, drop } = useImageUploads(projectId, ({ id, path, url, fileName }) =>
    onUploaded({ id, path, url, name: fileName }),
  );
  const current = pending.at(-1);
  const cancel = () => {
    for (const { id } of pending) drop(id);
  };
  return {
    progress: current && current.error === null ? current.progress : null,
    error: current?.error ?? null,
    send: (file) => {
      cancel();
      send([file]);
    },
    cancel,
  };
}
