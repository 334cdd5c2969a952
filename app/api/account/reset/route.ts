import { methods, route } from '@/lib/http/route';
import { requestReset } from '@/lib/people/request-reset';
import { resetBody } from '@/lib/people/schema';
import { limitVisitor } from '@/lib/rate-limit/limit-visitor';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'public',
    summary:
      'Sends a link to a new password to an email address. The response is the same whether or not it has an account.',
    docs: { codes: ['state_conflict', 'rate_limited', 'unavailable'] },
    body: resetBody,
    status: 204,
    handle: ({ body, request }) => {
      limitVisitor(request.headers);
      return requestReset(body.email);
    },
  }),
});
