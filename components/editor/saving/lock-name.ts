/**
 * Acquires a lock on `name` until the tab closes or the returned function releases the lock. Resolves to null if
 * another tab, or other code in this tab, holds the lock. Always succeeds if the browser has no Web Locks API, as on
 * plain HTTP.
 */
export async function lockName(name: string): Promise<(() => void) | null> {
  if (!navigator.locks) return () => undefined;
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      return new Promise<void>((giveBack) => resolve(giveBack));
    });
    held.catch(reject);
  });
}
