/** Runs one startup step and logs its duration. While a slow step runs, also logs that it is still running. */
export async function step<T>(
  log: (line: string) => void,
  label: string,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  const begun = setTimeout(() => log(`${label} …`), 500);
  const going = setInterval(() => log(`${label} … ${seconds()} s`), 10_000);
  try {
    const result = await work();
    log(`${label}: ${seconds()} s`);
    return result;
  } finally {
    clearTimeout(begun);
    clearInterval(going);
  }
}
