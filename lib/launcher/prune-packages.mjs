import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Paths below `node_modules` that nothing in this project reads. Removing them makes an installation a third smaller.
 * No smaller packages provide the same fonts and the same Node version.
 */
const unused = [
  // Source maps of packages only help to debug the packages themselves.
  /\.(js|cjs|mjs|css|ts|cts|mts)\.map$/,
  // Documents use the weights 400 and 700; most font packages contain nine weights.
  /(^|\/)@fontsource\/[^/]+\/files\/.*-(100|200|300|500|600|800|900)-(normal|italic)\.woff2?$/,
  /(^|\/)@fontsource\/[^/]+\/([^/]+-)?(100|200|300|500|600|800|900)(-italic)?\.css$/,
  // Node's headers are only needed to compile native add-ons.
  /(^|\/)node-(linux|darwin|win)-[^/]+\/include$/,
];

/** Returns whether a path below `node_modules` is unused and can be removed. */
export const isUnused = (path) => unused.some((pattern) => pattern.test(path));

// This must also run on Node 20, because `npm install` may run on that version.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = readdirSync('node_modules', { recursive: true }).filter((path) => isUnused(path));
  for (const path of paths) rmSync(join('node_modules', path), { recursive: true, force: true });
}
