import { controlHandlers } from '@/tests/fakes/workflow/control';
import { imageHandlers } from '@/tests/fakes/workflow/image';
import { specHandlers } from '@/tests/fakes/workflow/spec';
import { createFakeState, type FakeSettings } from '@/tests/fakes/workflow/state';

/**
 * The fake workflow service as request handlers: for msw's `setupServer` in the tests of single modules, and
 * behind a real HTTP server everywhere else. `base` is the base URL of the handlers, such as
 * `http://workflow.test`; empty when the server determines it. `stop` ends all work under way.
 */
export function createWorkflowHandlers(settings: FakeSettings, base: string) {
  const state = createFakeState(settings);
  return {
    handlers: [...specHandlers(state, base), ...imageHandlers(state, base), ...controlHandlers(state, base)],
    stop: () => state.abort.abort(),
  };
}
