/**
 * Preloaded into the Next processes. Stops them when their parent exits, even by kill -9, so that no orphan keeps the
 * port. Does nothing without an IPC channel (a plain `next start`).
 */
if (process.connected) {
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), 5_000).unref();
    process.kill(process.pid, 'SIGTERM');
  });
}

export {};
