/**
 * Returns the value that this process shares under a name. The first call creates it. Next bundles routes, pages and the
 * proxy separately, and `app/server.ts` is another bundle. Each of them has its own copy of a module, so values that they
 * must share are kept on the global object.
 */
export function sharedValue<Value extends object>(name: string, make: () => Value): Value {
  const key = Symbol.for(`atelier.${name}`);
  const shared = globalThis as typeof globalThis & { [key]?: Value };
  shared[key] ??= make();
  return shared[key];
}
