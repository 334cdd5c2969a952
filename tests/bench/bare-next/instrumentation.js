// Without one of its own, the build takes the product's at the root of the checkout.
export function register() {}
