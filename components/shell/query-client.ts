import { QueryClient } from '@tanstack/react-query';

/** Creates the browser's cache of server data and sets its defaults for reading. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Show an error immediately instead of retrying here. The read is repeated when the user asks for it, when the
        // error alert has counted down `Retry-After`, at the next poll, or when the network is back.
        retry: false,
        // `navigator.onLine` can be wrong, so always try to read. A failed read is repeated when the network is back.
        networkMode: 'always',
        refetchOnReconnect: ({ state }) => state.status === 'error',
        // Keep data only while a component uses it. The server sends current data with each page, and cached data would
        // be older.
        gcTime: 0,
        refetchOnMount: false,
        refetchOnWindowFocus: false,
      },
    },
  });
}
