import { startAtelier } from '@/lib/launcher/atelier';
import type { BenchRow } from '@/tests/bench/row';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';

const BAR_S = 5;

/** Measures how long the product takes to start when the build and the database already exist. */
export const start: BenchRow = {
  name: 'start',
  run: async () => {
    const dataDir = await makeDataDir();
    const distDir = process.env.ATELIER_DIST_DIR || '.next';
    const options = { ...(await freePorts()), dataDir: dataDir.path, distDir };
    try {
      await (await startAtelier(options)).stop();
      const begin = performance.now();
      const atelier = await startAtelier(options);
      const seconds = (performance.now() - begin) / 1000;
      await atelier.stop();
      return { measured: `${seconds.toFixed(1)} s`, bar: `<= ${BAR_S} s`, holds: seconds <= BAR_S };
    } finally {
      await dataDir.remove();
    }
  },
};
