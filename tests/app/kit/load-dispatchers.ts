import { vi } from 'vitest';

/**
 * Loads the product's code that sends triggers, with the current environment variables. The code reads its settings
 * once, and the test files of a worker share modules, so a static import could use another file's settings.
 */
export async function loadDispatchers() {
  vi.resetModules();
  const { dispatchImage } = await import('@/lib/image-gen/dispatch-image');
  const { dispatchSpec } = await import('@/lib/specs/dispatch-spec');
  const { logger } = await import('@/lib/log/logger');
  return { dispatchImage, dispatchSpec, logger };
}
