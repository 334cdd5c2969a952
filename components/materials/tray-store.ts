import {
  emptyMaterialTray,
  readTray,
  type Tray,
  type TrayAction,
  trayReducer,
  writeTray,
} from './tray-state';

export type TrayStorage = Pick<Storage, 'getItem' | 'setItem'>;

export type TrayStore = {
  get: () => Tray;
  dispatch: (action: TrayAction) => void;
  /** Calls `onChange` after each change; returns a function that unsubscribes. */
  subscribe: (onChange: () => void) => () => void;
  /** Loads the tray that another tab has stored. */
  reread: () => void;
};

/**
 * Creates a tray that is stored under `key`. If `storage` is null or fails, the tray lasts only until the page is
 * reloaded or closed.
 */
export function createTrayStore(storage: TrayStorage | null, key: string): TrayStore {
  const listeners = new Set<() => void>();
  const read = (): Tray | null => {
    try {
      return storage ? readTray(storage.getItem(key)) : null;
    } catch {
      return null;
    }
  };
  let tray = read() ?? emptyMaterialTray;
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
        // If storage is full or blocked, the tray still works on this page.
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
