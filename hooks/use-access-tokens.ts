'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { readTokens, type TokenScope } from '@/components/tokens/token-calls';
import type { TokensResponse } from '@/lib/tokens/schema';

type Known = TokensResponse & { scope: TokenScope };

/** A list of access tokens. `initial` is what the server has read of the user's own. */
export function useAccessTokens(scope: TokenScope, initial: TokensResponse) {
  const [known, setKnown] = useState<Known>({ ...initial, scope: 'own' });
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const request = useRef<AbortController | null>(null);
  const shown = known.scope === scope ? known : null;
  // Whoever reloads after a wait means the list that is shown then.
  const latest = useRef({ scope, shown });
  latest.current = { scope, shown };

  const read = useCallback(async (more: boolean) => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    const { scope, shown } = latest.current;
    const after = more ? shown : null;
    setLoading(true);
    if (!after) setError(null);
    try {
      const next = await readTokens(scope, after?.nextCursor ?? null, controller.signal);
      setKnown({ ...next, scope, tokens: [...(after?.tokens ?? []), ...next.tokens] });
      setError(null);
    } catch (error) {
      if (!controller.signal.aborted) setError(error);
    } finally {
      if (request.current === controller) setLoading(false);
    }
  }, []);

  const isInitial = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new scope requires another read.
  useEffect(() => {
    if (isInitial.current) isInitial.current = false;
    else void read(false);
  }, [scope, read]);
  useEffect(() => () => request.current?.abort(), []);

  return {
    /** Null until they have been read. */
    tokens: shown?.tokens ?? null,
    hasMore: Boolean(shown?.nextCursor),
    loading,
    error,
    reload: () => read(false),
    loadMore: () => read(true),
  };
}
export type AccessTokens = ReturnType<typeof useAccessTokens>;
