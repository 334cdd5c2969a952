import { keptAnswer } from '@/lib/http/kept-answer';
import { methods, route } from '@/lib/http/route';
import { imageWorkflow } from '@/lib/workflow/kit/image-workflow';
import { kitParams, n8nWorkflow } from '@/lib/workflow/kit/schema';
import { specWorkflow } from '@/lib/workflow/kit/spec-workflow';

const files = {
  'atelier-spec.n8n.json': Object.freeze(specWorkflow),
  'atelier-image.n8n.json': Object.freeze(imageWorkflow),
};

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: 'public',
    summary: 'A workflow for n8n that takes our triggers and reports back, ready to import.',
    docs: { kept: true },
    params: kitParams,
    status: 200,
    response: n8nWorkflow,
    handle: ({ params: { file } }) =>
      keptAnswer(files[file], {
        'cache-control': 'public, max-age=300',
        'content-disposition': `attachment; filename="${file}"`,
      }),
  }),
});
