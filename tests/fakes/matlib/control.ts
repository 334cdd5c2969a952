import { HttpResponse, http } from 'msw';
import { z } from 'zod';
import { behaviourSchema, type FakeState } from '@/tests/fakes/matlib/state';

/** `GET /control` tells what was asked for, `PUT` changes how the fake behaves, `DELETE` resets it. */
export function controlHandlers(state: FakeState, base: string) {
  const tell = () => {
    const { behaviour, counts, requests } = state;
    return HttpResponse.json({ ...behaviour, counts, requests });
  };
  return [
    http.get(`${base}/control`, tell),
    http.put(`${base}/control`, async ({ request }) => {
      const parsed = behaviourSchema.partial().safeParse(await request.json().catch(() => null));
      if (!parsed.success) {
        return HttpResponse.json({ error: z.prettifyError(parsed.error) }, { status: 400 });
      }
      // A new mode is for every request, unless it says otherwise.
      const whole = parsed.data.mode ? { times: null, match: null } : {};
      Object.assign(state.behaviour, whole, parsed.data);
      return tell();
    }),
    http.delete(`${base}/control`, () => {
      state.reset();
      return tell();
    }),
  ];
}
