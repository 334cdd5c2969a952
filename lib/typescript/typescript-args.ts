/** Arguments for a Node that runs our TypeScript; its working directory is the root of the project. */
export const typescriptArgs = ['--import', './lib/typescript/register.mjs'];
