'use client';

import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** Returns whether React handles the events of this component: false in the server's HTML, until it is hydrated. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
