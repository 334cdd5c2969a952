import { methods, route } from '@/lib/http/route';
import { HttpError } from '@/lib/errors/problem';
import { cacheable } from '@/lib/http/cacheable';
import { imageProgressWorkflow, imageWorkflow } from '@/lib/workflow/kit/image-workflow';
import type { N8nWorkflow } from '@/lib/workflow/kit/n8n';
import { kitParams, n8nWorkflow } from '@/lib/workflow/kit/schema';
import { specWorkflow } from '@/lib/workflow/kit/spec-workflow';

const workflows: ReadonlyMap<string, N8nWorkflow> = new Map([
  ['atelier-spec.n8n.json', Object.freeze(specWorkflow)],
  ['atelier-image.n8n.json', Object.freeze(imageWorkflow)],
  ['atelier-image-progress.n8n.json', Object.freeze(imageProgressWorkflow)],
]);

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'public',
    summary: 'Returns an n8n workflow that accepts our triggers and reports back, ready to import.',
    docs: { codes: ['not_found'], cacheable: true },
    params: kitParams,
    status: 200,
    response: n8nWorkflow,
    handle: ({ params: { file } }) => {
      const workflow = workflows.get(file);
      if (!workflow) throw new HttpError('not_found');
      return cacheable(workflow, {
        'cache-control': 'public, max-age=300',
        'content-disposition': `attachment; filename="${file}"`,
      });
    },
  }),
});
