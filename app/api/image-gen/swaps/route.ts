import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { createSwap } from '@/lib/image-gen/swaps/create-swap';
import { listSwaps } from '@/lib/image-gen/swaps/queries';
import { createSwapBody, listSwapsQuery, swapStarted, swapsResponse } from '@/lib/image-gen/swaps/schema';
import { nudgeLoop } from '@/lib/queue/loop';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ query }) => ({ projectId: query.projectId }),
    summary: 'Lists the material swaps of a project, newest first.',
    query: listSwapsQuery,
    status: 200,
    response: swapsResponse,
    handle: ({ caller, query }) => listSwaps(caller.db, query),
  }),
  POST: route({
    access: 'editor',
    project: async ({ readBody }) => ({ projectId: (await readBody()).projectId }),
    summary:
      'Starts a material swap: an image job for each material, all from the same image with the same seed. Counts as one costly call per material.',
    idempotent: true,
    rate: 'costly',
    cost: (body) => body.materials.length,
    body: createSwapBody,
    status: 202,
    response: swapStarted,
    location: (response) => `/api/image-gen/swaps/${response.swapId}`,
    handle: async ({ caller, body, idempotency }) => {
      const response = await createSwap(body, caller.userId, idempotency);
      after(nudgeLoop);
      return response;
    },
  }),
});
