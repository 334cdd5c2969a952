import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { workHandlers } from '@/app/work-handlers';
import { runTick } from '@/lib/queue/tick';

const tick = route({
  access: 'cron',
  summary: 'Runs due work, for hosts that cannot run the work loop.',
  status: 200,
  response: z.object({ claimed: z.int(), dead: z.int(), timedOut: z.int() }),
  handle: () => runTick(workHandlers),
});

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: tick, POST: tick });
