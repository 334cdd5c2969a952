/**
 * Acquires a lock on `name`. Resolves to a function that releases the lock, or to null if another tab or other code in
 * this tab already holds the lock. The browser also releases the lock when the tab closes. Without the Web Locks API,
 * which browsers do not offer on plain HTTP, the function always succeeds.
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
