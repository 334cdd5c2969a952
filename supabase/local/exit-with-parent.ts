/**
 * Preloaded into the Next processes: ends them when the process that started them is gone, even by kill -9,
 * so that no orphan keeps the port. Without a parent's channel (a plain `next start`) it does nothing.
 */
if (process.connected) {
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), 5_000).unref();
    process.kill(process.pid, 'SIGTERM');
  });
}

export {};
