import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { imageResponse } from '@/app/share/image-response';
import { HttpError } from '@/lib/errors/problem';
import { limitVisits } from '@/lib/share-links/limit-visits';
import { findSharedFile } from '@/lib/share-links/open-link';
import { sharedImageParams, sharedImageQuery } from '@/lib/share-links/schema';
import { type ImageStream, imageStream } from '@/lib/storage/image-stream';
import { safeFileName } from '@/lib/storage/keys';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    // The token authenticates the request. All invalid tokens get the same response.
    access: 'public',
    summary: 'Returns an image that a share link shows.',
    docs: { file: true },
    params: sharedImageParams,
    query: sharedImageQuery,
    status: 200,
    response: z.custom<{ image: ImageStream; fileName?: string }>(),
    respond: ({ image, fileName }) => imageResponse(image, fileName),
    handle: async ({ params: { token, imageId }, query, request }) => {
      limitVisits(request.headers, token);
      const file = await findSharedFile(token, imageId);
      if (!file || (query.download && !file.allowDownload)) throw new HttpError('not_found');
      const path = query.thumbnail ? (file.thumbPath ?? file.path) : file.path;
      const image = await imageStream(path, request.signal);
      if (!image) throw new HttpError('not_found');
      return { image, ...(query.download && { fileName: safeFileName(file.name, image.ending.slice(1)) }) };
    },
  }),
});
