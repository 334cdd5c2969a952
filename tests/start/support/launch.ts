import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemEnv } from '@/lib/launcher/system-env';
import packageJson from '@/package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const [, ...startArgs] = packageJson.scripts.start.split(' ');

export type Launch = {
  process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, or null after a signal. */
  ended: Promise<number | null>;
  /** Resolves once stdout contains the text; rejects with the whole output if the process exits first. */
  printed(text: string): Promise<void>;
};

/**
 * Runs the program that `npm start` runs, in production mode. Its environment contains `env`, the system's variables
 * (see `systemEnv`) and the build folder, but no other settings of this process.
 */
export function launch(env: Record<string, string>): Launch {
  const distDir = process.env.ATELIER_DIST_DIR;
  const child = spawn(process.execPath, startArgs, {
    cwd: root,
    env: { ...systemEnv(), NODE_ENV: 'production', ...(distDir && { ATELIER_DIST_DIR: distDir }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  async function printed(text: string): Promise<void> {
    let over = false;
    void ended.then(() => {
      over = true;
    });
    while (!stdout.includes(text)) {
      if (over) throw new Error(`It ended before it printed "${text}":\n${stdout}\n${stderr}`);
      await new Promise((done) => setTimeout(done, 25));
    }
  }
  return { process: child, stdout: () => stdout, stderr: () => stderr, ended, printed };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the processes whose command line or environment contains the data folder, as `pid command` lines. */
export function processesOf(dataDir: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = read(`/proc/${pid}/cmdline`);
      const mentions = command.includes(dataDir) || read(`/proc/${pid}/environ`).includes(dataDir);
      return mentions ? [`${pid} ${command.replaceAll('\0', ' ')}`] : [];
    });
}

/**
 * Returns the pid of the process that uses the data folder and whose command contains the text. Throws unless exactly
 * one process does.
 */
export function pidOf(dataDir: string, text: string): number {
  const found = processesOf(dataDir).filter((line) => line.includes(text));
  if (found.length !== 1) throw new Error(`Expected one process with ${text}, found:\n${found.join('\n')}`);
  return Number.parseInt(found[0] ?? '', 10);
}
