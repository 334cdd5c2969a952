import { setTimeout as sleep } from 'node:timers/promises';
import { proportionalBytes, treeProportionalBytes } from '@/tests/bench/process-memory';
import type { BenchRow } from '@/tests/bench/row';
import { freePorts } from '@/tests/setup/free-ports';
import { makePrintingDataDir } from '@/tests/setup/temporary-dir';
import { launch, pidOf } from '@/tests/start/support/launch';

const BAR_MB = 450;
/** Milliseconds to wait, so that the garbage collectors can release memory that only the startup needed. */
const REST_MS = 30_000;

/** Measures the memory of each part of `npm start` at rest, without counting shared memory twice. */
export const memoryAtRest: BenchRow = {
  name: 'memory-at-rest',
  isAbsolute: true,
  run: async () => {
    const dataDir = await makePrintingDataDir();
    const { port, localPort } = await freePorts();
    const started = launch({
      ATELIER_DATA_DIR: dataDir.path,
      PORT: `${port}`,
      SUPABASE_LOCAL_PORT: `${localPort}`,
      LOG_LEVEL: 'warn',
    });
    try {
      await started.printed('Ctrl-C stops everything');
      await sleep(REST_MS);
      const launcher = started.process.pid ?? 0;
      const backend = pidOf(dataDir.path, 'dist/backend.mjs');
      const parts = {
        app: treeProportionalBytes(pidOf(dataDir.path, 'dist/server.mjs')),
        backend: proportionalBytes(backend),
        database: treeProportionalBytes(backend) - proportionalBytes(backend),
        launcher: proportionalBytes(launcher),
      };
      const all = treeProportionalBytes(launcher);
      const fakes = all - Object.values(parts).reduce((sum, bytes) => sum + bytes, 0);
      const mb = (bytes: number) => Math.round(bytes / 2 ** 20);
      const list = Object.entries({ ...parts, fakes }).map(([name, bytes]) => `${name} ${mb(bytes)}`);
      return {
        measured: `${mb(all)} MB: ${list.join(', ')}`,
        bar: `<= ${BAR_MB} MB`,
        holds: mb(all) <= BAR_MB,
      };
    } finally {
      started.process.kill('SIGTERM');
      await started.ended;
      await dataDir.remove();
    }
  },
};
