import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { openApiDocument } from '@/app/openapi/document';
import { cacheable } from '@/lib/http/cacheable';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'public',
    summary: 'This document.',
    docs: { cacheable: true },
    status: 200,
    response: z.looseObject({ openapi: z.string() }),
    handle: async () => cacheable(await openApiDocument(), { 'cache-control': 'public, max-age=300' }),
  }),
});
