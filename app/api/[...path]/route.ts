import { HttpError } from '@/lib/http/problem';
import { methods, route } from '@/lib/http/route';

const unknown = route({
  access: 'public',
  summary: 'Answers every address that is none of ours.',
  status: 204,
  handle: () => {
    throw new HttpError('not_found', 'There is no such address.');
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
