'use client';

import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import {
  emptyTray,
  isBusy,
  isFinished,
  isReady,
  nextToSend,
  type UploadFacts,
  type UploadItem,
  type UploadTrayState,
  uploadTrayReducer,
} from '@/components/specs/upload-tray-state';
import { ApiError, OfflineError } from '@/lib/http/client';
import { uploadForm } from '@/lib/http/upload';
import { uploadResponse } from '@/lib/specs/schema';
import { newKey } from './new-key';
import { retryPauseMs } from './retry-pause';

export type UploadQueue = UploadTrayState & {
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

function formOf(item: UploadItem, file: File): FormData {
  const form = new FormData();
  // The fields first, so that the server has them before the file arrives.
  form.set('brandName', item.brandName);
  form.set('area', item.area);
  if (item.propertyName.trim()) form.set('propertyName', item.propertyName);
  form.set('onDuplicate', item.onDuplicate);
  form.set('file', file, file.name);
  return form;
}

/** The files that a user is uploading, with their form fields and results. */
export function useUploadQueue(): UploadQueue {
  const [state, dispatch] = useReducer(uploadTrayReducer, emptyTray);
  const [pausedUntil, setPausedUntil] = useState(0);
  const files = useRef(new Map<string, File>());
  const running = useRef(new Map<string, AbortController>());

  const start = useCallback(async (item: UploadItem) => {
    const { id } = item;
    const file = files.current.get(id);
    if (!file) return;
    const controller = new AbortController();
    running.current.set(id, controller);
    dispatch({ type: 'started', id });
    try {
      const { specUploadId } = await uploadForm('/api/admin/specs/upload', {
        form: formOf(item, file),
        schema: uploadResponse,
        idempotencyKey: item.idempotencyKey,
        signal: controller.signal,
        onProgress: (sent, total) =>
          dispatch({ type: 'progressed', id, progress: total > 0 ? sent / total : 0 }),
      });
      files.current.delete(id);
      dispatch({ type: 'sent', id, specUploadId });
    } catch (error) {
      if (controller.signal.aborted) return;
      const pauseMs = retryPauseMs(error);
      if (pauseMs !== null) {
        dispatch({
          type: 'postponed',
          id,
          message: 'The server is busy. The upload continues in a moment.',
        });
        setPausedUntil(Date.now() + pauseMs);
      } else {
        dispatch({ type: 'stopped', id, ...outcomeOf(error) });
      }
    } finally {
      running.current.delete(id);
    }
  }, []);

  useEffect(() => {
    const pause = pausedUntil - Date.now();
    if (pause > 0) {
      const timer = setTimeout(() => setPausedUntil(0), pause);
      return () => clearTimeout(timer);
    }
    for (const item of nextToSend(state)) {
      // A progress event may render before `started` has; do not start the file twice.
      if (!running.current.has(item.id)) void start(item);
    }
  }, [state, pausedUntil, start]);

  const busy = isBusy(state);
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);

  useEffect(() => {
    const uploads = running.current;
    return () => {
      for (const controller of uploads.values()) controller.abort();
    };
  }, []);

  const stop = (id: string) => running.current.get(id)?.abort();
  return {
    ...state,
    add: (added) => {
      const entries = added.map((file) => ({ id: newKey(), file }));
      for (const { id, file } of entries) files.current.set(id, file);
      dispatch({
        type: 'added',
        files: entries.map(({ id, file }) => ({
          id,
          key: newKey(),
          fileName: file.name,
          sizeBytes: file.size,
        })),
      });
    },
    edit: (id, facts) => dispatch({ type: 'edited', id, facts, key: newKey() }),
    applyToAll: (facts) =>
      dispatch({
        type: 'appliedToAll',
        facts,
        keys: Object.fromEntries(state.items.map(({ id }) => [id, newKey()])),
      }),
    send: (ids) => dispatch({ type: 'queued', ids }),
    sendAll: () => dispatch({ type: 'queued', ids: state.items.filter(isReady).map(({ id }) => id) }),
    keepAnyway: (id) => dispatch({ type: 'keptAnyway', id, key: newKey() }),
    cancel: (id) => {
      stop(id);
      dispatch({ type: 'canceled', id });
    },
    remove: (id) => {
      stop(id);
      files.current.delete(id);
      dispatch({ type: 'removed', id });
    },
    clearFinished: () => {
      for (const item of state.items.filter(isFinished)) files.current.delete(item.id);
      dispatch({ type: 'clearedFinished' });
    },
  };
}

function outcomeOf(error: unknown): {
  status: 'duplicate' | 'interrupted' | 'refused' | 'unsendable';
  message: string;
  specUploadId?: string;
} {
  if (error instanceof OfflineError) {
    return { status: 'interrupted', message: 'The connection was lost before the server responded.' };
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
