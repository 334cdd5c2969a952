import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Refetches the active queries under this key after a change: immediately, or after a read in progress, which may have
 * started before the change. Unlike an invalidation, this does not cancel a read in progress, so even frequent calls
 * let it finish. Resolves after the refetch, even if it fails.
 */
export async function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const shown = { queryKey, type: 'active' as const };
  if (client.isFetching(shown) > 0) await client.refetchQueries(shown, { cancelRefetch: false });
  await client.refetchQueries(shown, { cancelRefetch: false });
}
