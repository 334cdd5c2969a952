import { partsOfSwap } from '@/lib/image-gen/swaps/schema';

/**
 * Returns a swap's prompt as its material and place, such as "Oak · the floor", because all such prompts begin alike.
 * Returns any other prompt unchanged.
 */
export function shortPrompt(prompt: string): string {
  const swap = partsOfSwap(prompt);
  return swap ? `${swap.name} · ${swap.where}` : prompt;
}

/** Returns the heading of a swap. */
export const swapTitle = (where: string) => `Materials for ${where}`;
