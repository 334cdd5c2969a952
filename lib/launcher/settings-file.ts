import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Settings } from './settings.ts';

function readDotenv(file: string): Settings {
  return readExisting(file) ?? {};
}

function readExisting(file: string): Settings | undefined {
  try {
    const values = Object.entries(parseEnv(readFileSync(file, 'utf8')));
    return Object.fromEntries(
      values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads the checkout's dotenv files with the same precedence as Next. */
export function readCheckoutSettings(root: string, dev: boolean): Settings {
  const mode = dev ? 'development' : 'production';
  const files = [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env'];
  return Object.assign({}, ...files.reverse().map((name) => readDotenv(join(root, name))));
}

/** Returns the settings that the last run saved in the data folder; empty before the first run. */
export function readSavedSettings(dataDir: string): Settings {
  return readDotenv(join(dataDir, 'env'));
}

/**
 * Returns the secrets generated for this data folder. Returns undefined if there are none yet, or if an older version
 * of Atelier saved them only in `env`.
 */
export function readGenerated(dataDir: string): Settings | undefined {
  return readExisting(join(dataDir, 'generated-env'));
}

function quoted(value: string): string {
  if (/^[\w./:@+=,-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'";
  return `${quote}${value}${quote}`;
}

async function writeDotenv(file: string, comment: string, settings: Settings): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`);
  const text = `# ${comment}\n${lines.sort().join('\n')}\n`;
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, file);
}

/** Writes the settings atomically to `<dataDir>/env`, readable only by the file's owner. */
export function writeSettings(dataDir: string, settings: Settings): Promise<void> {
  return writeDotenv(
    join(dataDir, 'env'),
    'Written at every start. Delete this folder to start over.',
    settings,
  );
}

/**
 * Saves the settings that were given for this run, so that `npm run worker` uses the same ones. They are not in `env`,
 * because later starts do not use them.
 */
export function writeOverrides(dataDir: string, overrides: Settings): Promise<void> {
  return writeDotenv(
    join(dataDir, 'overrides'),
    'Settings given for the last start, for npm run worker. Written at every start.',
    overrides,
  );
}

/**
 * Saves the secrets that were generated for this data folder. Writes them atomically to `<dataDir>/generated-env`,
 * readable only by the file's owner.
 */
export function writeGenerated(dataDir: string, generated: Settings): Promise<void> {
  return writeDotenv(
    join(dataDir, 'generated-env'),
    'Secrets generated for this folder. A setting of the same name overrides them.',
    generated,
  );
}
