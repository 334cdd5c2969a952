import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { sendDeliveryAgain } from '@/lib/event-endpoints/deliveries';
import { deliveryParams, sentAgainResponse } from '@/lib/event-endpoints/schema';
import { nudgeLoop } from '@/lib/queue/loop';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Sends a delivered or failed event again, with the same id.',
    docs: { codes: ['not_found', 'state_conflict'] },
    params: deliveryParams,
    status: 202,
    response: sentAgainResponse,
    location: () => '/api/admin/workflow/deliveries',
    handle: async ({ params }) => {
      const response = await sendDeliveryAgain(params.id);
      after(nudgeLoop);
      return response;
    },
  }),
});
