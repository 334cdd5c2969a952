import type { z } from 'zod';
import { ApiError, OfflineError, parseProblem } from './client';

type UploadOptions<Schema extends z.ZodType> = {
  form: FormData;
  schema: Schema;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Called with the number of bytes sent so far and the total, both including the form's framing. */
  onProgress?: (sent: number, total: number) => void;
};

/** Posts a form and reports upload progress, which `fetch` cannot do. Rejects with the errors that `callApi` throws. */
export function sendForm<Schema extends z.ZodType>(
  path: string,
  { form, schema, idempotencyKey, signal, onProgress }: UploadOptions<Schema>,
): Promise<z.output<Schema>> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal?.addEventListener('abort', stop, { once: true });
    request.upload.onprogress = (event) => onProgress?.(event.loaded, event.total);
    request.onabort = () => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError'));
    request.onerror = () => reject(new OfflineError());
    request.onload = () => {
      try {
        if (request.status >= 200 && request.status < 300) {
          resolve(schema.parse(JSON.parse(request.responseText)));
        } else {
          const retryAfter = request.getResponseHeader('retry-after');
          reject(new ApiError(request.status, parseProblem(request.responseText), retryAfter));
        }
      } catch (error) {
        reject(error);
      }
    };
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    request.open('POST', path);
    if (idempotencyKey) request.setRequestHeader('idempotency-key', idempotencyKey);
    request.send(form);
  });
}
