import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { withPeak } from '@/tests/bench/process-memory';

/** Runs one kind of work of `print-documents.ts` as the product would, in a process of its own; answers what it said. */
export async function runPrint(...args: string[]): Promise<unknown> {
  return start(args).answer();
}

/**
 * The same, with the most memory that it and its browser took at a time, in bytes. Looking at it takes time from what is
 * looked at, so this measures no time.
 */
export async function runWatchedPrint(...args: string[]): Promise<{ answer: unknown; peakBytes: number }> {
  const { pid, answer } = start(args);
  const { result, peakBytes } = await withPeak(pid, answer);
  return { answer: result, peakBytes };
}

function start(args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/bench/print-documents.ts', ...args], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const answer = async (): Promise<unknown> => {
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    if (code !== 0) throw new Error(`printing ${args.join(' ')} ended with ${code}`);
    return JSON.parse(said);
  };
  return { pid: child.pid ?? 0, answer };
}
