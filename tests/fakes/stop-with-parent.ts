/** Stops the fake and exits on SIGTERM, on SIGINT, and when the process that forked this one exits. */
export function stopWithParent(starting: Promise<{ stop(): Promise<void> }>): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await starting.then((fake) => fake.stop());
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
}
