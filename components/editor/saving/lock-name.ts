/**
 * Acquires a lock on `name` until the tab closes or the returned function releases it. Resolves to null while another
 * tab, or another part of this one, holds it. Without the Web Locks API (on plain http), it always succeeds.
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
