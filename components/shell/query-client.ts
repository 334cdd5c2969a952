import { QueryClient } from '@tanstack/react-query';

/** The client's copy of the server's data, with the rules for reading it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // An error is shown at once. The user retries the read, or the alert does after `Retry-After`, or the next
        // poll.
        retry: false,
        // `navigator.onLine` can be wrong. A read without a network fails, and is retried when the network is back.
        networkMode: 'always',
        refetchOnReconnect: ({ state }) => state.status === 'error',
        // Data lives as long as a component shows it. The server reads each page anew, so what was cached before is older.
        gcTime: 0,
        refetchOnMount: false,
        refetchOnWindowFocus: false,
      },
    },
  });
}
