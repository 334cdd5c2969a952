import { HttpResponse, http } from 'msw';
import { z } from 'zod';
import { behaviorSchema, type FakeState } from '@/tests/fakes/matlib/state';

/**
 * Handles `/control`: `PUT` changes the behavior and `DELETE` resets the fake. Like `GET`, both return the behavior and
 * the recorded requests.
 */
export function controlHandlers(state: FakeState, base: string) {
  const respondWithState = () => {
    const { behavior, counts, requests } = state;
    return HttpResponse.json({ ...behavior, counts, requests });
  };
  return [
    http.get(`${base}/control`, respondWithState),
    http.put(`${base}/control`, async ({ request }) => {
      const parsed = behaviorSchema.partial().safeParse(await request.json().catch(() => null));
      if (!parsed.success) {
        return HttpResponse.json({ error: z.prettifyError(parsed.error) }, { status: 400 });
      }
      // A new mode removes the earlier `times` and `match`, unless the same call sets them.
      const everyRequest = parsed.data.mode ? { times: null, match: null } : {};
      Object.assign(state.behavior, everyRequest, parsed.data);
      return respondWithState();
    }),
    http.delete(`${base}/control`, () => {
      state.reset();
      return respondWithState();
    }),
  ];
}
