import { methods, route } from '@/lib/http/route';
import { linkPasswordBody, linkUsed } from '@/lib/people/schema';
import { setPasswordByLink } from '@/lib/people/use-link';
import { limitVisitor } from '@/lib/rate-limit/limit-visitor';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'public',
    summary: 'Sets a password with a link, which then cannot be used again, and signs out all sessions.',
    docs: { codes: ['not_found', 'rate_limited', 'unavailable'] },
    body: linkPasswordBody,
    status: 200,
    response: linkUsed,
    handle: async ({ body, request }) => {
      limitVisitor(request.headers);
      return { email: await setPasswordByLink(body.token, body.password, body.name) };
    },
  }),
});
