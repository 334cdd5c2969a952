/** The arguments with which Node runs our TypeScript. Its working directory must be the root of the project. */
export const typescriptArgs = ['--import', './lib/typescript/register.mjs'];
