'use client';

import { useEffect, useReducer, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { newKey } from '@/hooks/new-key';
import { createUploadQueue, type Upload } from '@/hooks/upload-queue';
import { ApiError, OfflineError } from '@/lib/http/client';
import { uploadForm } from '@/lib/http/upload';
import { uploadResponse } from '@/lib/specs/schema';
import {
  confirmedDuplicate,
  emptyTray,
  isBusy,
  isReady,
  type UploadFacts,
  type UploadFailure,
  type UploadItem,
  type UploadTrayState,
  uploadTrayReducer,
} from './upload-tray-state';

/** Maximum number of concurrent uploads. */
const MAX_SENDING = 2;

export type SpecUploads = UploadTrayState & {
  add: (files: File[]) => void;
  edit: (id: string, facts: Partial<UploadFacts>) => void;
  applyToAll: (facts: Partial<UploadFacts>) => void;
  send: (ids: string[]) => void;
  sendAll: () => void;
  keepAnyway: (id: string) => void;
  cancel: (id: string) => void;
  remove: (id: string) => void;
  clearFinished: () => void;
};

function uploadOf({ id, idempotencyKey, file, ...facts }: UploadItem): Upload {
  const form = new FormData();
  // Append the fields first, so that the server has them before the file arrives.
  form.set('brandName', facts.brandName);
  form.set('area', facts.area);
  if (facts.propertyName.trim()) form.set('propertyName', facts.propertyName);
  form.set('onDuplicate', facts.onDuplicate);
  form.set('file', file, file.name);
  return { id, idempotencyKey, form };
}

/** Holds the spec PDFs that a user is uploading, with their form fields and results. */
export function useSpecUploads(): SpecUploads {
  const [state, dispatch] = useReducer(uploadTrayReducer, emptyTray);
  const [queue] = useState(() =>
    createUploadQueue({
      concurrency: MAX_SENDING,
      send: ({ form, idempotencyKey }, options) =>
        uploadForm('/api/admin/specs/upload', { form, idempotencyKey, schema: uploadResponse, ...options }),
      onEvent: (event) =>
        dispatch(
          event.type === 'failed' ? { type: 'failed', id: event.id, ...failureOf(event.error) } : event,
        ),
    }),
  );
  useEffect(() => queue.stop, [queue]);

  const busy = isBusy(state);
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);

  const send = (items: UploadItem[]) => {
    dispatch({ type: 'queued', ids: items.map(({ id }) => id) });
    queue.add(items.map(uploadOf));
  };
  // No dependencies: the effect uses the items of the latest render.
  useEffect(() => {
    const resume = () => send(state.items.filter(({ status }) => status === 'interrupted'));
    window.addEventListener('online', resume);
    return () => window.removeEventListener('online', resume);
  });
  return {
    ...state,
    add: (files) =>
      dispatch({ type: 'added', files: files.map((file) => ({ id: newKey(), key: newKey(), file })) }),
    edit: (id, facts) => dispatch({ type: 'edited', id, facts, key: newKey() }),
    applyToAll: (facts) =>
      dispatch({
        type: 'applied-to-all',
        facts,
        keys: Object.fromEntries(state.items.map(({ id }) => [id, newKey()])),
      }),
    send: (ids) => send(state.items.filter((item) => ids.includes(item.id) && isReady(item))),
    sendAll: () => send(state.items.filter(isReady)),
    keepAnyway: (id) => {
      const key = newKey();
      dispatch({ type: 'kept-anyway', id, key });
      queue.add(
        state.items.filter((item) => item.id === id).map((item) => uploadOf(confirmedDuplicate(item, key))),
      );
    },
    cancel: (id) => {
      queue.drop(id);
      dispatch({ type: 'canceled', id });
    },
    remove: (id) => {
      queue.drop(id);
      dispatch({ type: 'removed', id });
    },
    clearFinished: () => dispatch({ type: 'finished-cleared' }),
  };
}

function failureOf(error: unknown): UploadFailure {
  if (error instanceof OfflineError) {
    const message = navigator.onLine
      ? 'The connection was lost before the server responded.'
      : 'You are offline. The upload continues when you are online again.';
    return { status: 'interrupted', message };
  }
  const message = describeError(error);
  if (!(error instanceof ApiError)) return { status: 'interrupted', message };
  if (error.code === 'duplicate_file') {
    const existing = error.problem.specUploadId;
    return {
      status: 'duplicate',
      message,
      specUploadId: typeof existing === 'string' ? existing : undefined,
    };
  }
  if (error.status >= 500 || error.status === 401 || error.status === 408)
    return { status: 'interrupted', message };
  const hopeless = error.code === 'invalid_pdf' || error.status === 413;
  return { status: hopeless ? 'unsendable' : 'refused', message };
}
