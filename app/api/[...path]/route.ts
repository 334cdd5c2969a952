import { methods, route } from '@/lib/http/route';
import { HttpError } from '@/lib/errors/problem';

const unknown = route({
  access: 'public',
  summary: 'Returns 404 for every unknown URL.',
  status: 204,
  handle: () => {
    throw new HttpError('not_found', 'This URL does not exist.');
  },
});

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: unknown,
  POST: unknown,
  PUT: unknown,
  PATCH: unknown,
  DELETE: unknown,
  OPTIONS: unknown,
});
