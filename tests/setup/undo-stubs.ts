import { afterAll, vi } from 'vitest';

// Files of one worker share the globals and the environment, so the next file must find them as they were.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
