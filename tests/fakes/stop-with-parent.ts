/** On SIGTERM, on SIGINT, or when the parent that forked this process exits, stops the fake and exits. */
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
