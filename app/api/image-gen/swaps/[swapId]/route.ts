import { methods, route } from '@/lib/http/route';
import { requireSwap } from '@/lib/image-gen/swaps/queries';
import { swapParams, swapWithJobs } from '@/lib/image-gen/swaps/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ imageSwapId: params.swapId }),
    summary: 'Returns a material swap with its image jobs.',
    params: swapParams,
    status: 200,
    response: swapWithJobs,
    handle: ({ caller, params }) => requireSwap(caller.db, params.swapId),
  }),
});
