import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { imageResponse } from '@/app/share/image-response';
import { sharedImagePath } from '@/app/share/shared-document';
import { HttpError } from '@/lib/errors/problem';
import { limitVisits } from '@/lib/share-links/limit-visits';
import { openShare } from '@/lib/share-links/open-link';
import { sharedImageParams } from '@/lib/share-links/schema';
import { type ImageStream, imageStream } from '@/lib/storage/image-stream';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    // The token authenticates the request. All invalid tokens get the same response.
    access: 'public',
    summary: 'Returns an image of the document that a share link shows.',
    docs: { file: true },
    params: sharedImageParams,
    status: 200,
    response: z.custom<ImageStream>(),
    respond: (image) => imageResponse(image),
    handle: async ({ params: { token, imageId }, memory, request }) => {
      limitVisits(request.headers, token);
      const share = await openShare(token, { count: false });
      if (share?.kind !== 'document') throw new HttpError('not_found');
      const path = await sharedImagePath({ share, memory }, imageId);
      const image = path && (await imageStream(path, request.signal));
      if (!image) throw new HttpError('not_found');
      return image;
    },
  }),
});
