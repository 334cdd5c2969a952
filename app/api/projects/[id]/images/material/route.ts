import { displayFileName } from '@/lib/http/file-name';
import { methods, route } from '@/lib/http/route';
import { getLibrary } from '@/lib/matlib/get-library';
import { getPicture } from '@/lib/matlib/get-picture';
import { keepMaterialBody } from '@/lib/matlib/schema';
import { keepImage } from '@/lib/projects/keep-image';
import { findKeptImage } from '@/lib/projects/kept-image';
import { projectImage, projectParams } from '@/lib/projects/schema';

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
      // Checked first, so that a repeat succeeds even when the library is unavailable.
      const kept = await findKeptImage({ projectId, userId: caller.userId, idempotency });
      if (kept) return kept;
      const { bytes, name } = await getPicture(getLibrary(), body.materialId);
      return keepImage({
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
