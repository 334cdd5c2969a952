'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { uploadForm } from '@/lib/http/upload';
import { type ProjectImage, projectImage } from '@/lib/projects/schema';
import { newKey } from './new-key';
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

/** Uploads any number of images to a project, one after the other. */
export function useImageUploads(projectId: string, onUploaded: (image: ProjectImage) => void): ImageUploads {
  const [pending, setPending] = useState<readonly PendingImage[]>([]);
  // A ref and not the rendered state decides what is sent next: a late progress event would otherwise resend a file that
  // has just been uploaded.
  const waiting = useRef<PendingImage[]>([]);
  const running = useRef<{ key: string; controller: AbortController } | null>(null);
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  const change = useCallback((key: string, patch: Partial<PendingImage> | null) => {
    setPending((all) =>
      all.flatMap((one) => (one.key !== key ? [one] : patch ? [{ ...one, ...patch }] : [])),
    );
  }, []);

  const sendNext = useCallback(async (): Promise<void> => {
    if (running.current) return;
    const next = waiting.current.shift();
    if (!next) return;
    const { key, file } = next;
    const controller = new AbortController();
    running.current = { key, controller };
    try {
      const form = new FormData();
      form.set('file', file, file.name);
      const image = await uploadForm(`/api/projects/${projectId}/images`, {
        form,
        schema: projectImage,
        idempotencyKey: key,
        signal: controller.signal,
        onProgress: (sent, total) => change(key, { progress: total > 0 ? sent / total : 0 }),
      });
      if (!controller.signal.aborted) {
        uploaded.current(image);
        change(key, null);
      }
    } catch (error) {
      if (!controller.signal.aborted) change(key, { error: describeError(error), canRetry: true });
    }
    running.current = null;
    return sendNext();
  }, [projectId, change]);

  useEffect(
    () => () => {
      waiting.current = [];
      running.current?.controller.abort();
    },
    [],
  );

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
      waiting.current.push(...added.filter(({ error }) => error === null));
      void sendNext();
    },
    [sendNext],
  );
  const retry = useCallback(
    (key: string) => {
      const failed = pending.find((one) => one.key === key);
      if (!failed?.error) return;
      change(key, { error: null, progress: 0 });
      waiting.current.push(failed);
      void sendNext();
    },
    [pending, change, sendNext],
  );
  const drop = useCallback(
    (key: string) => {
      waiting.current = waiting.current.filter((one) => one.key !== key);
      if (running.current?.key === key) running.current.controller.abort();
      change(key, null);
    },
    [change],
  );
  return { pending, send, retry, drop };
}
