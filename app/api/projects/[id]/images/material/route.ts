import { methods, route } from '@/lib/http/route';
import { displayFileName } from '@/lib/http/file-name';
import { getLibrary } from '@/lib/matlib/get-library';
import { getPicture } from '@/lib/matlib/get-picture';
import { getTexture } from '@/lib/matlib/get-texture';
import { keepMaterialBody } from '@/lib/matlib/schema';
import { projectImage, projectParams } from '@/lib/projects/schema';
import { storeImage } from '@/lib/projects/store-image';
import { findStoredImage } from '@/lib/projects/stored-image';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Copies a material's image into a project, once, so that documents can print it.",
    docs: { codes: ['invalid_image', 'unavailable'] },
    rate: 'search',
    idempotent: true,
    params: projectParams,
    body: keepMaterialBody,
    status: 201,
    response: projectImage,
    location: (_, params) => `/api/projects/${params.id}/images`,
    handle: async ({ caller, projectId, body, idempotency }) => {
      // Look for the stored image first, so that a repeated request succeeds even if the library is unavailable.
      const stored = await findStoredImage({ projectId, userId: caller.userId, idempotency });
      if (stored) return stored;
      const get = body.picture === 'texture' ? getTexture : getPicture;
      const { bytes, name } = await get(getLibrary(), body.materialId);
      return storeImage({
        projectId,
        userId: caller.userId,
        bytes,
        fileName: displayFileName(name, 'material'),
        idempotency,
        reuse: true,
      });
    },
  }),
});
