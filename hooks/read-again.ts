import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Refetches the active queries under this key after a change. Waits for a read in progress first, because it may have
 * started before the change. Unlike an invalidation, this does not cancel that read, so reads can finish even if calls
 * are frequent. Resolves after the refetch, even if it fails.
 */
export async function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const shown = { queryKey, type: 'active' as const };
  if (client.isFetching(shown) > 0) await client.refetchQueries(shown, { cancelRefetch: false });
  await client.refetchQueries(shown, { cancelRefetch: false });
}
