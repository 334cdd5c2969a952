'use client';

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { formatBytes } from '@/components/format/bytes';
import { newKey } from '@/hooks/new-key';
import { createUploadQueue, type Upload } from '@/hooks/upload-queue';
import { sendForm } from '@/lib/http/upload';
import { imageTypes, MAX_IMAGE_BYTES, type ProjectImage, projectImage } from '@/lib/projects/schema';

/**
 * A file in the list of uploads: waiting, being sent, rejected or failed. A file leaves the list when it has been
 * uploaded.
 */
export type PendingImage = {
  id: string;
  file: File;
  /** The fraction of bytes sent, 0 to 1. */
  progress: number;
  error: string | null;
  /**
   * True after the upload has failed. A file that was rejected without being sent, such as an empty one, cannot be
   * retried.
   */
  canRetry: boolean;
};

export type ImageUploads = {
  pending: readonly PendingImage[];
  send: (files: readonly File[]) => void;
  retry: (id: string) => void;
  /** Cancels an upload, or removes a failed one from the list. */
  drop: (id: string) => void;
};

/** Returns a message that says why a file cannot be uploaded as an image, or null if it can. */
export function imageRefusal(file: { name: string; type: string; size: number }): string | null {
  if (!imageTypes.some((type) => type === file.type)) {
    return `${file.name || 'This file'} is not a PNG, JPEG, WebP or SVG image.`;
  }
  if (file.size === 0) return `${file.name} is empty (0 bytes).`;
  return file.size > MAX_IMAGE_BYTES
    ? `${file.name} has ${formatBytes(file.size)}; an image can have at most ${formatBytes(MAX_IMAGE_BYTES)}.`
    : null;
}

function uploadOf({ id, file }: PendingImage): Upload {
  const form = new FormData();
  form.set('file', file, file.name);
  return { id, idempotencyKey: id, form };
}

/** Uploads images to a project, one after another, and calls `onUploaded` with each uploaded image. */
export function useImageUploads(projectId: string, onUploaded: (image: ProjectImage) => void): ImageUploads {
  const [pending, setPending] = useState<readonly PendingImage[]>([]);
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  const change = useCallback((id: string, patch: Partial<PendingImage> | null) => {
    setPending((all) => all.flatMap((one) => (one.id !== id ? [one] : patch ? [{ ...one, ...patch }] : [])));
  }, []);

  const queue = useMemo(
    () =>
      createUploadQueue({
        send: ({ form, idempotencyKey }, options) =>
          sendForm(`/api/projects/${projectId}/images`, {
            form,
            idempotencyKey,
            schema: projectImage,
            ...options,
          }),
        onEvent: (event) => {
          const { id, type } = event;
          if (type === 'progressed') change(id, { progress: event.progress });
          if (type === 'failed') change(id, { error: describeError(event.error), canRetry: true });
          if (type === 'sent') {
            uploaded.current(event.result);
            change(id, null);
          }
        },
      }),
    [projectId, change],
  );
  useEffect(() => queue.stop, [queue]);

  const send = useCallback(
    (files: readonly File[]) => {
      const added = files.map((file) => ({
        id: newKey(),
        file,
        progress: 0,
        error: imageRefusal(file),
        canRetry: false,
      }));
      setPending((all) => [...all, ...added]);
      queue.add(added.filter(({ error }) => error === null).map(uploadOf));
    },
    [queue],
  );
  const drop = useCallback(
    (id: string) => {
      queue.drop(id);
      change(id, null);
    },
    [queue, change],
  );
  return {
    pending,
    send,
    retry: (id) => {
      const failed = pending.find((one) => one.id === id && one.canRetry);
      if (!failed) return;
      change(id, { error: null, progress: 0 });
      queue.add([uploadOf(failed)]);
    },
    drop,
  };
}
