import { controlHandlers } from '@/tests/fakes/matlib/control';
import { libraryHandlers } from '@/tests/fakes/matlib/library-handlers';
import { pictureHandlers } from '@/tests/fakes/matlib/picture-handlers';
import { createFakeState, type FakeSettings } from '@/tests/fakes/matlib/state';

/**
 * Creates the request handlers of the fake material library, for a real HTTP server or for msw's `setupServer`. `base`
 * is the base URL of the handlers; if it is empty, the URLs in responses use the origin of each request.
 */
export function createMatlibHandlers(settings: FakeSettings, base: string) {
  const state = createFakeState(settings);
  return [...libraryHandlers(state, base), ...pictureHandlers(state, base), ...controlHandlers(state, base)];
}
