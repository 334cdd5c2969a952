import { emptyTray, readTray, type Tray, type TrayAction, trayReducer, writeTray } from './tray-state';

export type TrayStorage = Pick<Storage, 'getItem' | 'setItem'>;

export type TrayStore = {
  get: () => Tray;
  dispatch: (action: TrayAction) => void;
  /** Calls back after each change; the returned function ends it. */
  subscribe: (onChange: () => void) => () => void;
  /** Takes over what another tab has kept. */
  reread: () => void;
};

/** A tray that is kept under `key`. Without a storage that works it lasts as long as the page. */
export function createTrayStore(storage: TrayStorage | null, key: string): TrayStore {
  const listeners = new Set<() => void>();
  const read = (): Tray | null => {
    try {
      return storage ? readTray(storage.getItem(key)) : null;
    } catch {
      return null;
    }
  };
  let tray = read() ?? emptyTray;
  const become = (next: Tray) => {
    tray = next;
    for (const onChange of listeners) onChange();
  };
  return {
    get: () => tray,
    dispatch: (action) => {
      const next = trayReducer(tray, action);
      if (next === tray) return;
      try {
        storage?.setItem(key, writeTray(next));
      } catch {
        // Full or forbidden: what was picked still holds for this page.
      }
      become(next);
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    reread: () => {
      const kept = read();
      if (kept && writeTray(kept) !== writeTray(tray)) become(kept);
    },
  };
}
