import { createHash } from 'node:crypto';
import { createServer } from 'node:net';

export type Lock = { release(): Promise<void> };

/**
 * Acquires the machine-wide lock with the given name. Returns undefined if the lock is already held. The lock is an
 * abstract socket, which the kernel releases however its owner exits, so it cannot become stale.
 */
export function tryLock(name: string): Promise<Lock | undefined> {
  const address = `\0atelier-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => {
      server.unref();
      resolve({ release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

/**
 * Waits until the lock with the given name is free, and acquires it. Calls `onWait` once if it has to wait. Throws the
 * abort reason if `signal` aborts.
 */
export async function waitForLock(name: string, onWait: () => void, signal?: AbortSignal): Promise<Lock> {
  for (let waited = false; ; waited = true) {
    signal?.throwIfAborted();
    const lock = await tryLock(name);
    if (lock) return lock;
    if (!waited) onWait();
    await new Promise((done) => setTimeout(done, 200));
  }
}
