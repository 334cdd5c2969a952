'use client';

import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { type ColorsWait, nextColorsWait } from '@/components/materials/colors-wait';
import { readCounts, readMaterials } from '@/components/materials/material-calls';
import {
  emptyMaterialList,
  type MaterialListState,
  materialListReducer,
} from '@/components/materials/material-list-state';
import { useOnline } from './use-online';

export type MaterialSearch = MaterialListState & {
  /** `replacing`: the first page of another search is loading. */
  loading: 'no' | 'replacing' | 'more';
  /** The error of the last read, and which read it was. */
  failure: { error: unknown; of: 'replacing' | 'more' } | null;
  /** Repeats the failed read. */
  retry: () => void;
  loadMore: () => void;
};

/** The results of the material library for a search key, page by page. */
export function useMaterialSearch(key: string): MaterialSearch {
  const [state, dispatch] = useReducer(materialListReducer, emptyMaterialList);
  const [loading, setLoading] = useState<MaterialSearch['loading']>('replacing');
  const [failure, setFailure] = useState<MaterialSearch['failure']>(null);
  const request = useRef<AbortController | null>(null);
  const online = useOnline();

  const read = useCallback(async (key: string, offset: number) => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    const of = offset === 0 ? 'replacing' : 'more';
    setLoading(of);
    setFailure(null);
    try {
      const response = await readMaterials(key, offset, controller.signal);
      dispatch({ type: offset === 0 ? 'replaced' : 'extended', key, response });
    } catch (error) {
      if (controller.signal.aborted) return;
      setFailure({ error, of });
    }
    if (request.current !== controller) return;
    request.current = null;
    setLoading('no');
  }, []);

  useEffect(() => {
    void read(key, 0);
    return () => request.current?.abort();
  }, [key, read]);

  const { nextOffset, response } = state;
  const more = state.key === key ? nextOffset : null;
  const missing = failure?.of === 'more' ? (more ?? 0) : 0;
  const retry = useCallback(() => void read(key, missing), [key, missing, read]);
  const loadMore = useCallback(() => {
    if (more !== null && !request.current) void read(key, more);
  }, [key, more, read]);

  const onBack = useEffectEvent(() => {
    if (failure) retry();
  });
  useEffect(() => {
    if (online) onBack();
  }, [online]);

  // After a list is first requested, the library determines its colors step by step.
  const shown = state.key;
  const waited = useRef<ColorsWait | null>(null);
  useEffect(() => {
    // After each response, even with the same counts: this list's turn may come later.
    const unknown = response?.facets?.colors_unknown;
    if (!unknown || shown === null) return;
    const wait = nextColorsWait(waited.current, { key: shown, unknown });
    waited.current = wait;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      readCounts(shown, controller.signal)
        .then((response) => dispatch({ type: 'counted', key: shown, response }))
        // The counts stay as they are; the next search updates them.
        .catch(() => undefined);
    }, wait.ms);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [response, shown]);

  return { ...state, loading, failure, retry, loadMore };
}
