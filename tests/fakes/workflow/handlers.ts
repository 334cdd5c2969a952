import { controlHandlers } from '@/tests/fakes/workflow/control';
import { imageHandlers } from '@/tests/fakes/workflow/image';
import { specHandlers } from '@/tests/fakes/workflow/spec';
import { createFakeState, type FakeSettings } from '@/tests/fakes/workflow/state';

/**
 * Creates the request handlers of the fake workflow service, for msw's `setupServer` or for a real HTTP server. `base`
 * is the base URL of the handlers, such as `http://workflow.test`. It is empty if the server passes the origin of each
 * request to msw. `stop` aborts all work in progress.
 */
export function createWorkflowHandlers(settings: FakeSettings, base: string) {
  const state = createFakeState(settings);
  return {
    handlers: [...specHandlers(state, base), ...imageHandlers(state, base), ...controlHandlers(state, base)],
    stop: () => state.abort.abort(),
  };
}
