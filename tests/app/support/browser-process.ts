import { readdir, readFile } from 'node:fs/promises';
import { inject } from 'vitest';

/**
 * Returns the process ids of the running product's browsers, without their helper processes. Recognizes the browsers by
 * the path of their executable, which is below the data folder.
 */
export async function browserPids(): Promise<number[]> {
  const folder = inject('atelier').env.ATELIER_DATA_DIR ?? '';
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    const [executable = '', ...args] = line.split('\0');
    const isHelper = args.some((arg) => arg.startsWith('--type='));
    if (executable.startsWith(`${folder}/`) && executable.endsWith('/chromium') && !isHelper)
      found.push(Number(name));
  }
  return found;
}
