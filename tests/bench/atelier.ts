import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';

/**
 * Runs `work` with a separate instance of the product in a new data folder, then stops the instance and removes the
 * folder. `settings` override the default benchmark settings.
 */
export async function withAtelier<T>(
  work: (atelier: Atelier) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const dataDir = await makeDataDir();
  const lines: string[] = [];
  try {
    const atelier = await startAtelier({
      ...(await freePorts()),
      dataDir: dataDir.path,
      distDir: process.env.ATELIER_DIST_DIR || '.next',
      log: (line) => lines.push(line),
      onDeath: (what, how) => process.stderr.write(`${lines.slice(-30).join('\n')}\n${what} ended: ${how}\n`),
      env: {
        LOG_LEVEL: 'warn',
        RATE_LIMIT_COSTLY: '100000',
        RATE_LIMIT_OTHER: '100000',
        RATE_LIMIT_SEARCH: '100000',
        ...settings,
      },
    });
    try {
      return await work(atelier);
    } finally {
      await atelier.stop();
    }
  } finally {
    await dataDir.remove();
  }
}
