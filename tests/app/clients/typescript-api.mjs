import { registerHooks } from 'node:module';

// The generators need the compiler's API, which TypeScript 7 no longer has.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-6' : specifier, context),
});
