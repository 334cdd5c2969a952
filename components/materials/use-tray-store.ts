'use client';

import { useWindowEvent } from '@mantine/hooks';
import { useMemo, useSyncExternalStore } from 'react';
import { emptyMaterialTray, type Tray } from './tray-state';
import { createTrayStore, type TrayStorage, type TrayStore } from './tray-store';

// One store per user, kept outside of React so that undo survives navigation.
const stores = new Map<string, TrayStore>();

function browserStorage(): TrayStorage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function storeOf(key: string): TrayStore {
  const store = stores.get(key) ?? createTrayStore(browserStorage(), key);
  stores.set(key, store);
  return store;
}

const never = () => () => undefined;

/** Returns the user's tray, which the tabs of this browser share. On the server, the tray is always empty. */
export function useTrayStore(userId: string): { tray: Tray; dispatch: TrayStore['dispatch'] } {
  const key = `atelier:tray:${userId}`;
  const store = useMemo(() => (typeof window === 'undefined' ? null : storeOf(key)), [key]);
  const tray = useSyncExternalStore(
    store?.subscribe ?? never,
    () => store?.get() ?? emptyMaterialTray,
    () => emptyMaterialTray,
  );
  useWindowEvent('storage', (event) => {
    if (event.key === key || event.key === null) store?.reread();
  });
  return { tray, dispatch: store?.dispatch ?? (() => undefined) };
}
