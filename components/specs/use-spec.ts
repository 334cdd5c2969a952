'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readAgain } from '@/hooks/read-again';
import { type LiveState, useRealtimeTopic } from '@/hooks/use-realtime-topic';
import { ApiError } from '@/lib/http/client';
import type { Spec } from '@/lib/specs/schema';
import { readSpec } from './spec-calls';
import { specEvent } from './spec-events';

/**
 * Returns a spec with live updates. `isRemoved` becomes true when the spec is deleted, in this browser or elsewhere.
 */
export function useSpec(initial: Spec): {
  spec: Spec;
  isRemoved: boolean;
  error: unknown;
  live: LiveState;
  reload: () => void;
} {
  const id = initial.specUploadId;
  const queryClient = useQueryClient();
  const queryKey = ['specs', 'one', id];
  const { data: spec, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readSpec(id, signal),
    initialData: initial,
  });
  const [deleted, setDeleted] = useState(false);
  const isRemoved = deleted || (error instanceof ApiError && error.status === 404);
  const reload = () => void readAgain(queryClient, queryKey);

  const live = useRealtimeTopic({
    topic: 'specs',
    event: 'spec',
    onEvent: (payload) => {
      const event = specEvent.safeParse(payload).data;
      if (event?.specUploadId !== id) return;
      if (event.status === 'deleted') setDeleted(true);
      else reload();
    },
    onResync: reload,
    isUnfinished: () => !isRemoved && (spec.status === 'pending' || spec.status === 'processing'),
  });

  return { spec, isRemoved, error, live, reload };
}
