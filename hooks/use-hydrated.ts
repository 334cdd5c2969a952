'use client';

import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** Returns whether this component is hydrated and React handles its events. False in the server's HTML. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
