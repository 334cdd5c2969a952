import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { withPeak } from '@/tests/bench/process-memory';

/** Runs one task of `print-documents.ts` in a separate process, in production mode. Returns the task's output. */
export async function runPrint(...args: string[]): Promise<unknown> {
  return start(args).output();
}

/**
 * Like `runPrint`, but also returns the peak memory, in bytes, of the process and its browser. Measuring memory slows
 * the work down, so compare times from this function only with each other.
 */
export async function runWatchedPrint(...args: string[]): Promise<{ output: unknown; peakBytes: number }> {
  const { pid, output } = start(args);
  const { result, peakBytes } = await withPeak(pid, output);
  return { output: result, peakBytes };
}

function start(args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/bench/print-documents.ts', ...args], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = async (): Promise<unknown> => {
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    if (code !== 0) throw new Error(`printing ${args.join(' ')} ended with ${code}`);
    return JSON.parse(output);
  };
  return { pid: child.pid ?? 0, output };
}
