import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { withPeak } from '@/tests/bench/process-memory';

/**
 * Runs one kind of work of `print-documents.ts` as the product would, in a process of its own; answers what it said and
 * the most memory that it and its browser took at a time, in bytes.
 */
export async function runPrint(...args: string[]): Promise<{ answer: unknown; peakBytes: number }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/bench/print-documents.ts', ...args], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = () => Promise.all([text(child.stdout), once(child, 'exit')]);
  const { result, peakBytes } = await withPeak(child.pid ?? 0, ended);
  const [said, [code]] = result;
  if (code !== 0) throw new Error(`printing ${args.join(' ')} ended with ${code}`);
  return { answer: JSON.parse(said), peakBytes };
}
