'use client';

import { notifications } from '@mantine/notifications';
import { useMemo, useState } from 'react';
import { showError } from '@/components/feedback/show-error';
import { readVariant } from '@/hooks/image-gen/image-gen-calls';
import type { ImageJobs } from '@/hooks/use-image-jobs';
import { useRenewal } from '@/hooks/use-renewal';
import { promptAndSeed, type ShownVariant, variantFileName } from './runs';

/** Returns actions on a job and its variants. Their failures are shown as notifications. */
export function useJobActions(gen: ImageJobs, jobId: string) {
  const [busy, setBusy] = useState<'cancel' | 'retry' | null>(null);
  const { cancelJob, retryJob, renewUrls } = gen;
  const onStale = useRenewal(renewUrls);

  const actions = useMemo(() => {
    const run = async (action: 'cancel' | 'retry', title: string, act: () => Promise<void>) => {
      setBusy(action);
      try {
        await act();
      } catch (error) {
        showError(title, error);
      } finally {
        setBusy((busy) => (busy === action ? null : busy));
      }
    };
    return {
      cancel: () => void run('cancel', 'The image could not be canceled', () => cancelJob(jobId)),
      retry: () => void run('retry', 'The image could not be tried again', () => retryJob(jobId)),
      download: (shown: ShownVariant) => void downloadVariant(jobId, shown),
      copy: (shown: ShownVariant) => void copyPrompt(shown),
      copyImage: (shown: ShownVariant) => void copyVariant(jobId, shown),
    };
  }, [jobId, cancelJob, retryJob]);

  return { ...actions, busy, onStale };
}

/** Downloads an image with a file name made from its prompt. Shows a notification on failure. */
export async function downloadVariant(jobId: string, shown: ShownVariant): Promise<void> {
  const title = `Image ${shown.label} could not be downloaded`;
  try {
    const image = await readVariant(jobId, shown.ordinal, shown.variant.path);
    if (!image) {
      notifications.show({
        title,
        message: 'File storage is unavailable. Try again in a moment.',
        color: 'red',
      });
      return;
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(image);
    link.download = variantFileName(shown, image.type);
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    showError(title, error);
  }
}

/** Copies the prompt and the seed of an image as text. */
export async function copyPrompt(shown: ShownVariant): Promise<void> {
  try {
    // `navigator.clipboard` is undefined on plain HTTP.
    await navigator.clipboard.writeText(promptAndSeed(shown));
    notifications.show({ message: `Prompt and seed of image ${shown.label} copied.` });
  } catch {
    notifications.show({
      title: 'This browser does not allow copying',
      message: promptAndSeed(shown),
      color: 'yellow',
      autoClose: false,
    });
  }
}

/** Returns the image as a PNG, the only image type that every clipboard accepts. */
async function pngOf(jobId: string, { ordinal, variant }: ShownVariant): Promise<Blob> {
  const image = await readVariant(jobId, ordinal, variant.path);
  if (!image) throw new Error('File storage is unavailable.');
  if (image.type === 'image/png') return image;
  const bitmap = await createImageBitmap(image);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Copies the image itself. */
export async function copyVariant(jobId: string, shown: ShownVariant): Promise<void> {
  try {
    // Pass the promise instead of awaiting it: some browsers allow clipboard writes only immediately after a click.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(jobId, shown) })]);
    notifications.show({ message: `Image ${shown.label} copied.` });
  } catch {
    notifications.show({
      title: `Image ${shown.label} could not be copied`,
      message: 'This browser does not allow it. Download the image instead.',
      color: 'yellow',
    });
  }
}
