import { HttpResponse, http } from 'msw';
import { z } from 'zod';
import { behaviorSchema, type FakeState } from '@/tests/fakes/matlib/state';

/** Handles `/control`: `GET` returns the recorded requests, `PUT` changes the behavior, `DELETE` resets the fake. */
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
      // A new mode applies to every request, unless the same call sets `times` or `match`.
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
