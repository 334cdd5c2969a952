/**
 * Returns the value that this process shares under a name. The first call creates it. Each route's bundle has its own
 * copy of every module, so values that bundles must share are kept on the global object.
 */
export function sharedValue<Value extends object>(name: string, make: () => Value): Value {
  const key = Symbol.for(`atelier.${name}`);
  const shared = globalThis as typeof globalThis & { [key]?: Value };
  shared[key] ??= make();
  return shared[key];
}
