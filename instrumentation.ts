/**
 * Runs once in each app process. Installs the handling of requests before Next, and in production redirects the console
 * to the log. Starts the work loop, and telemetry if it is enabled. On SIGTERM or SIGINT, returns unfinished work to the
 * queue before the process exits.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { actBeforeNext } = await import('@/app/before-next');
  actBeforeNext();
  if (process.env.NODE_ENV === 'production') {
    const { logConsole } = await import('@/app/log-console');
    logConsole();
  }
  const { startWork } = await import('@/app/start-work');
  const { holdExitFor } = await import('@/app/hold-exit');
  holdExitFor(await startWork());
}
