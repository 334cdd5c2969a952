'use client';

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Account } from '@/lib/people/schema';
import { readAccount } from './account-calls';

export const accountKey = ['account'];

/** Reads the user's own account. `initial` is what the server read. */
export function useAccount(initial?: Account): UseQueryResult<Account> {
  return useQuery({
    queryKey: accountKey,
    queryFn: ({ signal }) => readAccount(signal),
    initialData: initial,
  });
}
