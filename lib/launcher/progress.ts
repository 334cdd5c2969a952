/** Runs one step of the start and logs its duration, as well as its progress if it takes long. */
export async function step<T>(log: (line: string) => void, what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  const begun = setTimeout(() => log(`${what} …`), 500);
  const going = setInterval(() => log(`${what} … ${seconds()} s`), 10_000);
  try {
    const result = await work();
    log(`${what}: ${seconds()} s`);
    return result;
  } finally {
    clearTimeout(begun);
    clearInterval(going);
  }
}
