// Without this file, the build would use the product's own `instrumentation` at the root of the checkout.
export function register() {}
