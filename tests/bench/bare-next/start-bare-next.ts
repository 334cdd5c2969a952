import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const folder = import.meta.dirname;
const next = join(folder, '../../../node_modules/next/dist/bin/next');

function runNext(args: string[], env: Record<string, string>) {
  return spawn(process.execPath, [next, ...args], {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', ...env },
    stdio: 'ignore',
  });
}

async function responses(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The bare Next app does not respond.');
}

/** Builds and serves a Next app whose only route returns the JSON in `bodyFile`. */
export async function startBareNext(port: number, bodyFile: string) {
  const [code] = await once(runNext(['build'], {}), 'close');
  if (code !== 0) throw new Error('The bare Next app cannot be built.');
  const server = runNext(['start', '-H', '127.0.0.1', '-p', String(port)], { BARE_BODY_FILE: bodyFile });
  const url = `http://127.0.0.1:${port}/api/bare`;
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await once(server, 'close');
  };
  try {
    await responses(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: server.pid ?? 0, stop };
}
