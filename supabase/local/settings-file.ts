import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Settings } from './settings';

function readDotenv(file: string): Settings {
  try {
    const values = Object.entries(parseEnv(readFileSync(file, 'utf8')));
    return Object.fromEntries(
      values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** The values of the checkout's dotenv files, the earlier file winning, in the order that Next has. */
export function readCheckoutSettings(root: string, dev: boolean): Settings {
  const mode = dev ? 'development' : 'production';
  const files = [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env'];
  return Object.assign({}, ...files.reverse().map((name) => readDotenv(join(root, name))));
}

/** What the last start wrote to the data folder; empty before the first one. */
export function readSavedSettings(dataDir: string): Settings {
  return readDotenv(join(dataDir, 'env'));
}

function quoted(value: string): string {
  if (/^[\w./:@+=,-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'";
  return `${quote}${value}${quote}`;
}

/** Writes the configuration to `<dataDir>/env`, readable by its owner only; a reader never sees half of it. */
export async function writeSettings(dataDir: string, settings: Settings): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`);
  const text = `# Written at every start. Delete the folder to start afresh.\n${lines.sort().join('\n')}\n`;
  const file = join(dataDir, 'env');
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, file);
}
