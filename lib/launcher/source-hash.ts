import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folders = ['app', 'components', 'hooks', 'lib', 'public'];
/**
 * Matches the names of the root folder's files that go into the build. TypeScript, npm and Next find these files by
 * name.
 */
const builtInRoot =
  /^(instrumentation(-client)?|mdx-components|next\.config|package(-lock)?|postcss\.config|proxy|tsconfig)\.(ts|tsx|mjs|cjs|js|json)$/;

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns a SHA-256 hash of the names and contents of all files in `root` that go into the build. */
export async function sourceHash(root: string): Promise<string> {
  const top = (await readdir(root)).filter((name) => builtInRoot.test(name));
  const below = await Promise.all(folders.map((folder) => filesBelow(root, folder)));
  const files = [...top.map((name) => join(root, name)), ...below.flat()].sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = await readFile(file);
    hash.update(`${file.slice(root.length)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
