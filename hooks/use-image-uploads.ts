'use client';

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { uploadForm } from '@/lib/http/upload';
import { type ProjectImage, projectImage } from '@/lib/projects/schema';
import { newKey } from './new-key';
import { createUploadSequence } from './upload-sequence';
import { refusal } from './use-image-upload';

/** A file that is being uploaded to a project; removed from the list when it is done. */
export type PendingImage = {
  /** Also the Idempotency-Key, so that a retry after a lost response creates no second image. */
  key: string;
  file: File;
  /** The fraction of bytes sent, 0 to 1. */
  progress: number;
  error: string | null;
  /** A rejected file stays rejected, however often it is sent. */
  canRetry: boolean;
};

export type ImageUploads = {
  pending: readonly PendingImage[];
  send: (files: readonly File[]) => void;
  retry: (key: string) => void;
  /** Cancels an upload, or removes a failed one from the list. */
  drop: (key: string) => void;
};

/** Uploads any number of images into a project, one after the other, at the pace that the server allows. */
export function useImageUploads(projectId: string, onUploaded: (image: ProjectImage) => void): ImageUploads {
  const [pending, setPending] = useState<readonly PendingImage[]>([]);
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  const change = useCallback((key: string, patch: Partial<PendingImage> | null) => {
    setPending((all) =>
      all.flatMap((one) => (one.key !== key ? [one] : patch ? [{ ...one, ...patch }] : [])),
    );
  }, []);

  // The sequence decides what is sent next, not the rendered state: a late progress report would send a file again
  // that has just arrived.
  const sequence = useMemo(
    () =>
      createUploadSequence<PendingImage>({
        upload: async ({ key, file }, signal) => {
          const form = new FormData();
          form.set('file', file, file.name);
          const image = await uploadForm(`/api/projects/${projectId}/images`, {
            form,
            schema: projectImage,
            idempotencyKey: key,
            signal,
            onProgress: (sent, total) => change(key, { progress: total > 0 ? sent / total : 0 }),
          });
          if (signal.aborted) return;
          uploaded.current(image);
          change(key, null);
        },
        onFailed: ({ key }, error) => change(key, { error: describeError(error), canRetry: true }),
        wait: (ms, then) => {
          const timer = setTimeout(then, ms);
          return () => clearTimeout(timer);
        },
      }),
    [projectId, change],
  );
  useEffect(() => sequence.stop, [sequence]);

  const send = useCallback(
    (files: readonly File[]) => {
      const added = files.map((file) => ({
        key: newKey(),
        file,
        progress: 0,
        error: refusal(file),
        canRetry: false,
      }));
      setPending((all) => [...all, ...added]);
      sequence.add(added.filter(({ error }) => error === null));
    },
    [sequence],
  );
  const retry = useCallback(
    (key: string) => {
      const failed = pending.find((one) => one.key === key);
      if (!failed?.error) return;
      change(key, { error: null, progress: 0 });
      sequence.add([failed]);
    },
    [pending, change, sequence],
  );
  const drop = useCallback(
    (key: string) => {
      sequence.drop(key);
      change(key, null);
    },
    [sequence, change],
  );
  return { pending, send, retry, drop };
}
