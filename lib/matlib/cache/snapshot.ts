import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** Reads a JSON file that matches a schema. Returns null if there is no valid file. */
export async function readSnapshot<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Ignore a missing or invalid file, because its data can be fetched from the library again.
    return null;
  }
}

/** Writes a JSON file atomically, so that readers see either the old or the new content, but never a partial file. */
export async function writeSnapshot(file: string, value: unknown): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(temporary, JSON.stringify(value));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
