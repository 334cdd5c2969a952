import { QueryClient } from '@tanstack/react-query';

/** Creates the cache of server data in the browser, with the rules for reading it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Show an error immediately instead of retrying. The user, the alert (after `Retry-After`) or the next poll
        // retries.
        retry: false,
        // `navigator.onLine` can be wrong, so always try to read. A read that fails is repeated when the network is
        // back.
        networkMode: 'always',
        refetchOnReconnect: ({ state }) => state.status === 'error',
        // Keep data only while a component shows it. The server reads the data of each page anew, so cached data would
        // be older.
        gcTime: 0,
        refetchOnMount: false,
        refetchOnWindowFocus: false,
      },
    },
  });
}
