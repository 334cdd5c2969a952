import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import type { BenchRow } from '@/tests/bench/row';
import { runPrint } from '@/tests/bench/run-print';
import { timed } from '@/tests/bench/timing';
import { makeDataDir } from '@/tests/setup/temporary-dir';

/** A program that is still printing after this many milliseconds is killed and reported as slower than this limit. */
const LIMIT_MS = 20_000;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/**
 * Runs a program that prints a document. Returns the program's name and how long it ran. If it is not installed or
 * exceeded the limit, returns its name with a note that says so. Throws if the program fails.
 */
async function askPeer(name: string, args: string[]): Promise<string> {
  let words = '';
  const ms = await timed(async () => {
    const { error, status } = spawnSync(name, args, {
      stdio: 'ignore',
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const code = error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') words = 'not installed';
    else if (code === 'ETIMEDOUT') words = `> ${seconds(LIMIT_MS)}`;
    else if (status !== 0) throw new Error(`${name} ended with ${status ?? error?.message}`);
  });
  return `${name} ${words || seconds(ms)}`;
}

/**
 * Measures how long 100 pages with a photo each take to print in a newly started browser, with no images derived in
 * advance, and how long the same pages take in other programs that print HTML, if they are installed.
 */
export const exportPeers: BenchRow = {
  name: 'export-peers',
  isAbsolute: true,
  run: async () => {
    const folder = await makeDataDir();
    try {
      const ours = z.number().parse(await runPrint('beside-html', folder.path));
      const [page, pdf] = [join(folder.path, 'document.html'), join(folder.path, 'document.pdf')];
      const found = [
        await askPeer('chromium', [
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          '--no-first-run',
          '--disable-background-networking',
          `--user-data-dir=${join(folder.path, 'profile')}`,
          `--print-to-pdf=${pdf}`,
          `file://${page}`,
        ]),
        await askPeer('weasyprint', [page, pdf]),
      ];
      return { measured: [`ours ${seconds(ours)}`, ...found].join(', ') };
    } finally {
      await folder.remove();
    }
  },
};
