import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads the shown queries under this key after a change: at once, or after the read that is running, which may have
 * started before the change. Unlike an invalidation, frequent calls do not keep a read from finishing. Resolves after
 * that read, even when it fails.
 */
export async function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const shown = { queryKey, type: 'active' as const };
  if (client.isFetching(shown) > 0) await client.refetchQueries(shown, { cancelRefetch: false });
  await client.refetchQueries(shown, { cancelRefetch: false });
}
