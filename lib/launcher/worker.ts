/** `npm run worker`: runs the worker, from a bundle of the current sources. */
import { bundlePrograms, programPath } from './programs.ts';

await bundlePrograms((line) => process.stderr.write(`${line}\n`));
await import(programPath('worker'));
