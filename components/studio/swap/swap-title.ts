/** Returns the heading of a swap. */
export const swapTitle = (where: string) => `Materials for ${where}`;
