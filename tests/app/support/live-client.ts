import { createClient } from '@supabase/supabase-js';
import { z } from 'zod';
import { realtimeOptions } from '@/lib/supabase/browser';
import type { Person } from '@/tests/app/support/people';

const jobEvent = z.strictObject({
  /** The broadcast message's id, which Supabase Realtime adds. */
  id: z.uuid(),
  jobId: z.uuid(),
  status: z.string(),
  statusSeq: z.int(),
  run: z.int(),
  progress: z.number().nullable(),
});
export type JobEvent = z.infer<typeof jobEvent> & { at: number };

/**
 * Creates a Supabase client that is signed in as this person and has the Realtime options of the product's pages.
 * `supabaseUrl` overrides the URL in `env`.
 */
export function liveClient(env: Record<string, string>, person: Pick<Person, 'token'>, supabaseUrl?: string) {
  const client = createClient(
    supabaseUrl ?? env.NEXT_PUBLIC_SUPABASE_URL ?? '',
    env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? '',
    { accessToken: async () => person.token, realtime: realtimeOptions },
  );
  return {
    client,
    /**
     * Follows the job events of a topic the way the pages do. Returns the list to which each event is added. `joined`
     * is called after each join.
     */
    async follow(topic: string, joined: () => void = () => {}) {
      const events: JobEvent[] = [];
      await client.realtime.setAuth();
      client
        .channel(topic, { config: { private: true } })
        .on('broadcast', { event: 'job' }, ({ payload }) => {
          events.push({ ...jobEvent.parse(payload), at: performance.now() });
        })
        .subscribe((status) => status === 'SUBSCRIBED' && joined());
      return events;
    },
    /** Tries to join a private topic; returns the resulting status, followed by the error message if there is one. */
    async join(topic: string): Promise<string> {
      await client.realtime.setAuth();
      return new Promise((resolve) => {
        client.channel(topic, { config: { private: true } }).subscribe((status, error) => {
          if (status !== 'CLOSED') resolve(error ? `${status}: ${error.message}` : status);
        });
      });
    },
    async end() {
      await client.removeAllChannels();
      client.realtime.disconnect();
    },
  };
}
