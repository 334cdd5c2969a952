/**
 * The one value of this name in this process, made by the first call. Each route's bundle has its own copy of every
 * module, so what they must share is kept on the global object.
 */
export function sharedValue<Value extends object>(name: string, make: () => Value): Value {
  const key = Symbol.for(`atelier.${name}`);
  const shared = globalThis as typeof globalThis & { [key]?: Value };
  shared[key] ??= make();
  return shared[key];
}
