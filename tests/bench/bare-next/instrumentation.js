// Without this file the build uses the product's own at the root of the checkout.
export function register() {}
