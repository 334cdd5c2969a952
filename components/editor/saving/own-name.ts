/**
 * Takes a name for as long as the tab is there, or until the returned function gives it back; null while another tab, or
 * another part of this one, has it. Where a browser knows no locks (on plain http), a name is never taken by others.
 */
export async function takeName(name: string): Promise<(() => void) | null> {
  if (!navigator.locks) return () => undefined;
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      return new Promise<void>((giveBack) => resolve(giveBack));
    });
    held.catch(reject);
  });
}
