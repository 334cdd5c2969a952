/** Runs once in each app process: checks the configuration, starts the work loop and hands work back at the end. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startWork } = await import('@/app/start-work');
  const { holdExitFor } = await import('@/app/hold-exit');
  holdExitFor(await startWork());
}
