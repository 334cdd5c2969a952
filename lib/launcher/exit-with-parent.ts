/**
 * Preloaded into the Next processes. Stops the process when its parent exits, even if the parent is killed with
 * SIGKILL, so that no orphan occupies the port. Does nothing without an IPC channel.
 */
if (process.connected) {
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), 5_000).unref();
    process.kill(process.pid, 'SIGTERM');
  });
}

export {};
