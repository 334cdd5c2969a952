import type { Upload, UploadQueueOptions } from '@/hooks/upload-queue';
import { sendForm } from '@/lib/http/upload';
import { type UploadResponse, uploadResponse } from '@/lib/specs/schema';

type SendOptions = Parameters<UploadQueueOptions<UploadResponse>['send']>[1];

export function sendSpecFile(
  { form, idempotencyKey }: Upload,
  options: SendOptions,
): Promise<UploadResponse> {
  return sendForm('/api/admin/specs/upload', { form, idempotencyKey, schema: uploadResponse, ...options });
}
