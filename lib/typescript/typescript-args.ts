/** The Node arguments for running Atelier's TypeScript. The working directory must be the root of the project. */
export const typescriptArgs = ['--import', './lib/typescript/register.mjs'];
