import { partsOfSwap } from '@/lib/image-gen/swaps/schema';

/**
 * Shortens the prompt of a swap to its material and place, such as "Oak · the floor", because all swap prompts begin
 * with the same words. Returns any other prompt unchanged.
 */
export function shortPrompt(prompt: string): string {
  const swap = partsOfSwap(prompt);
  return swap ? `${swap.name} · ${swap.where}` : prompt;
}

/** Returns the heading of a swap. */
export const swapTitle = (where: string) => `Materials for ${where}`;
