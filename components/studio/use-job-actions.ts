'use client';

import { notifications } from '@mantine/notifications';
import { useMemo, useState } from 'react';
import { UserFacingError } from '@/components/feedback/describe-error';
import { showError } from '@/components/feedback/show-error';
import { readVariant } from '@/hooks/image-gen/image-gen-calls';
import type { ImageJobs } from '@/hooks/use-image-jobs';
import { useRenewal } from '@/hooks/use-renewal';
import { promptAndSeed, type ShownVariant, seedOf, variantFileName } from './runs';

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

async function loadImage(jobId: string, { ordinal, variant }: ShownVariant): Promise<Blob> {
  const image = await readVariant(jobId, ordinal, variant.path);
  if (!image) throw new UserFacingError('The file could not be loaded. Try again in a moment.');
  return image;
}

/** Downloads an image with a file name made from its prompt. Shows a notification on failure. */
export async function downloadVariant(jobId: string, shown: ShownVariant): Promise<void> {
  try {
    const image = await loadImage(jobId, shown);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(image);
    link.download = variantFileName(shown, image.type);
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    showError(`Image ${shown.label} could not be downloaded`, error);
  }
}

/**
 * Copies the prompt and, if known, the seed of an image as text. If the browser does not allow copying, shows the text
 * in a notification.
 */
export async function copyPrompt(shown: ShownVariant): Promise<void> {
  try {
    // On plain HTTP, `navigator.clipboard` is undefined, so this throws.
    await navigator.clipboard.writeText(promptAndSeed(shown));
    const copied = seedOf(shown) === undefined ? 'Prompt' : 'Prompt and seed';
    notifications.show({ message: `${copied} of image ${shown.label} copied.` });
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
async function pngOf(jobId: string, shown: ShownVariant): Promise<Blob> {
  const image = await loadImage(jobId, shown);
  if (image.type === 'image/png') return image;
  const bitmap = await createImageBitmap(image);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Copies an image as a PNG. Shows a notification of success or failure. */
export async function copyVariant(jobId: string, shown: ShownVariant): Promise<void> {
  const png = pngOf(jobId, shown);
  try {
    // Pass the promise instead of awaiting it, because some browsers allow clipboard writes only right after a click.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    notifications.show({ message: `Image ${shown.label} copied.` });
  } catch {
    const denied = new UserFacingError('This browser does not allow it. Download the image instead.');
    const error = await png.then(
      () => denied,
      (failure: unknown) => failure,
    );
    showError(`Image ${shown.label} could not be copied`, error);
  }
}
