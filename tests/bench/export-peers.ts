import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { BenchRow } from '@/tests/bench/row';
import { runPrint } from '@/tests/bench/run-print';
import { timed } from '@/tests/bench/timing';
import { makeDataDir } from '@/tests/setup/temporary-dir';

const LIMIT_MS = 180_000;

/** The same 200 pages by what else prints HTML, where it is installed: whole processes, from their start to their end. */
export const exportPeers: BenchRow = {
  name: 'export-peers',
  run: async () => {
    const folder = await makeDataDir();
    try {
      await runPrint('html', folder.path);
      const [page, pdf] = [join(folder.path, 'document.html'), join(folder.path, 'document.pdf')];
      const profile = `--user-data-dir=${join(folder.path, 'profile')}`;
      const commands: [string, string[]][] = [
        [
          'chromium',
          ['--headless', '--no-sandbox', '--disable-gpu', profile, `--print-to-pdf=${pdf}`, `file://${page}`],
        ],
        ['weasyprint', [page, pdf]],
      ];
      const found: string[] = [];
      for (const [name, args] of commands) {
        let missing = false;
        const ms = await timed(async () => {
          const { error, status } = spawnSync(name, args, { stdio: 'ignore', timeout: LIMIT_MS });
          missing = error !== undefined && 'code' in error && error.code === 'ENOENT';
          if (!missing && status !== 0) throw new Error(`${name} ended with ${status ?? error?.message}`);
        });
        found.push(`${name} ${missing ? 'not installed' : `${(ms / 1000).toFixed(1)} s`}`);
      }
      return { measured: found.join(', ') };
    } finally {
      await folder.remove();
    }
  },
};
