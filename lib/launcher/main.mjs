import module from 'node:module';

// Entry point of `npm start`, `npm run dev`, `npm run build` and `npm run worker`: the first argument is the command.
// Node runs the launcher's TypeScript itself, so imports of the launcher need file extensions. This file is JavaScript,
// because an older Node must be able to run it.

if (!process.features.typescript) {
  process.stderr.write(
    `Atelier needs Node 24, but this is ${process.version}. On Linux x64, "npm ci" installs it for "npm start".\n`,
  );
  process.exit(1);
}
module.enableCompileCache('node_modules/.cache/atelier/compiled');

const commands = { start: './start.ts', build: './build-only.ts', worker: './worker.ts' };
await import(commands[process.argv[2]]);
