'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { formatBytes } from '@/components/format/bytes';
import type { InputImage } from '@/components/studio/job-draft';
import { uploadForm } from '@/lib/http/upload';
import { imageTypes, MAX_IMAGE_BYTES, projectImage } from '@/lib/projects/schema';
import { newKey } from './new-key';

export type ImageUpload = {
  /** The fraction of bytes sent, 0 to 1; null without an upload. */
  progress: number | null;
  error: string | null;
  send: (file: File) => Promise<void>;
  cancel: () => void;
};

/** Why a file cannot be an input image, as a message; null when it can. */
export function refusal(file: { name: string; type: string; size: number }): string | null {
  if (!imageTypes.some((type) => type === file.type)) {
    return `${file.name || 'This file'} is not a PNG, JPEG or WebP image.`;
  }
  if (file.size === 0) return `${file.name} is empty (0 bytes).`;
  return file.size > MAX_IMAGE_BYTES
    ? `${file.name} has ${formatBytes(file.size)}; an image can have at most ${formatBytes(MAX_IMAGE_BYTES)}.`
    : null;
}

// Keeps one key per file, so that a retry after a lost response creates no second image.
const keys = new WeakMap<File, string>();

function keyOf(file: File): string {
  const key = keys.get(file) ?? newKey();
  keys.set(file, key);
  return key;
}

/** Uploads one image at a time to a project; a new one replaces one in progress. */
export function useImageUpload(projectId: string, onUploaded: (image: InputImage) => void): ImageUpload {
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  useEffect(() => () => running.current?.abort(), []);

  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setProgress(null);
  }, []);

  const send = useCallback(
    async (file: File) => {
      running.current?.abort();
      const refused = refusal(file);
      setError(refused);
      if (refused) return;
      const controller = new AbortController();
      running.current = controller;
      setProgress(0);
      try {
        const form = new FormData();
        form.set('file', file, file.name);
        const { id, path, url, fileName } = await uploadForm(`/api/projects/${projectId}/images`, {
          form,
          schema: projectImage,
          idempotencyKey: keyOf(file),
          signal: controller.signal,
          onProgress: (sent, total) => setProgress(total > 0 ? sent / total : 0),
        });
        if (!controller.signal.aborted) uploaded.current({ id, path, url, name: fileName });
      } catch (error) {
        if (!controller.signal.aborted) setError(describeError(error));
      } finally {
        if (running.current === controller) {
          running.current = null;
          setProgress(null);
        }
      }
    },
    [projectId],
  );

  return { progress, error, send, cancel };
}
