import { afterAll, vi } from 'vitest';

// Test files in one worker share globals and the environment, so each file must restore them for the next.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
