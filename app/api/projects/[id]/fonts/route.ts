import { methods, route } from '@/lib/http/route';
import { listFonts } from '@/lib/fonts/project-fonts';
import { fontForm, fontsParams, fontsResponse, projectFont } from '@/lib/fonts/schema';
import { uploadFont } from '@/lib/fonts/upload-font';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Lists the fonts that a project uploaded, by name. There are at most 24.',
    params: fontsParams,
    status: 200,
    response: fontsResponse,
    handle: async ({ projectId }) => ({ fonts: await listFonts(projectId) }),
  }),
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      'Uploads a font of one style: a WOFF2, TTF or OTF file of at most 2 MB whose license allows embedding, and which the browser that prints can use. It replaces the font of the same family and style. A project can have 24 fonts, with 16 MB together.',
    docs: { codes: ['invalid_font', 'state_conflict'] },
    rate: 'costly',
    params: fontsParams,
    form: fontForm,
    status: 201,
    response: projectFont,
    location: (font, { id }) => `/api/projects/${id}/fonts/${font.id}`,
    handle: ({ caller, projectId, request }) => uploadFont(request, { projectId, userId: caller.userId }),
  }),
});
