import { methods, route } from '@/lib/http/route';
import { linkBody, linkInfo } from '@/lib/people/schema';
import { readLink } from '@/lib/people/use-link';
import { limitVisitor } from '@/lib/rate-limit/limit-visitor';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'public',
    summary: 'Returns the account whose password a link sets. The link stays valid.',
    docs: { codes: ['not_found', 'rate_limited', 'unavailable'] },
    body: linkBody,
    status: 200,
    response: linkInfo,
    handle: ({ body, request }) => {
      limitVisitor(request.headers);
      return readLink(body.token);
    },
  }),
});
