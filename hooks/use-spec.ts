'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { ApiError, callApi } from '@/lib/http/client';
import { type Spec, spec as specSchema } from '@/lib/specs/schema';
import { type LiveState, useRealtimeTopic } from './use-realtime-topic';

const ofSpec = z.object({ specUploadId: z.string(), status: z.string() });

/** One spec with live updates; `gone` after it was deleted, here or elsewhere. */
export function useSpec(initial: Spec): {
  spec: Spec;
  gone: boolean;
  error: unknown;
  live: LiveState;
  reload: () => void;
} {
  const [spec, setSpec] = useState(initial);
  const [gone, setGone] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const request = useRef<AbortController | null>(null);
  const id = initial.specUploadId;

  const reload = useCallback(async () => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    try {
      const response = await callApi(`/api/admin/specs/${id}`, {
        schema: specSchema,
        signal: controller.signal,
      });
      setSpec((known) => (response.statusSeq >= known.statusSeq ? response : known));
      setError(null);
    } catch (error) {
      if (controller.signal.aborted) return;
      if (error instanceof ApiError && error.status === 404) setGone(true);
      else setError(error);
    }
  }, [id]);
  useEffect(() => () => request.current?.abort(), []);

  const live = useRealtimeTopic({
    topic: 'specs',
    event: 'spec',
    onEvent: (payload) => {
      const event = ofSpec.safeParse(payload);
      if (!event.success || event.data.specUploadId !== id) return;
      if (event.data.status === 'deleted') setGone(true);
      else void reload();
    },
    onResync: () => void reload(),
    isUnfinished: () => !gone && (spec.status === 'pending' || spec.status === 'processing'),
  });

  return { spec, gone, error, live, reload: () => void reload() };
}
