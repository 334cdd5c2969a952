import type { RouteHandler } from '@/lib/http/route';

type RouteFile = Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', RouteHandler>>;

/**
 * Every route file by its path. The files are loaded when the OpenAPI document is built. A test checks that none is
 * missing.
 */
export const routeFiles: Record<string, () => Promise<RouteFile>> = {
  '/api/admin/areas': () => import('@/app/api/admin/areas/route'),
  '/api/admin/brands': () => import('@/app/api/admin/brands/route'),
  '/api/admin/specs': () => import('@/app/api/admin/specs/route'),
  '/api/admin/specs/{id}': () => import('@/app/api/admin/specs/[id]/route'),
  '/api/admin/specs/callback': () => import('@/app/api/admin/specs/callback/route'),
  '/api/admin/specs/retry': () => import('@/app/api/admin/specs/retry/route'),
  '/api/admin/specs/upload': () => import('@/app/api/admin/specs/upload/route'),
  '/api/admin/workflow/deliveries': () => import('@/app/api/admin/workflow/deliveries/route'),
  '/api/admin/workflow/deliveries/{id}/send': () =>
    import('@/app/api/admin/workflow/deliveries/[id]/send/route'),
  '/api/admin/workflow/endpoints': () => import('@/app/api/admin/workflow/endpoints/route'),
  '/api/admin/workflow/endpoints/{id}': () => import('@/app/api/admin/workflow/endpoints/[id]/route'),
  '/api/admin/workflow/endpoints/{id}/resume': () =>
    import('@/app/api/admin/workflow/endpoints/[id]/resume/route'),
  '/api/admin/tokens': () => import('@/app/api/admin/tokens/route'),
  '/api/admin/tokens/{id}': () => import('@/app/api/admin/tokens/[id]/route'),
  '/api/admin/workflow/events': () => import('@/app/api/admin/workflow/events/route'),
  '/api/admin/workflow/refused': () => import('@/app/api/admin/workflow/refused/route'),
  '/api/admin/workflow/test-callback': () => import('@/app/api/admin/workflow/test-callback/route'),
  '/api/admin/workflow/tests': () => import('@/app/api/admin/workflow/tests/route'),
  '/api/admin/workflow/tests/{id}': () => import('@/app/api/admin/workflow/tests/[id]/route'),
  '/api/cron/tick': () => import('@/app/api/cron/tick/route'),
  '/api/export/cancel/{jobId}': () => import('@/app/api/export/cancel/[jobId]/route'),
  '/api/export/jobs': () => import('@/app/api/export/jobs/route'),
  '/api/export/pdf': () => import('@/app/api/export/pdf/route'),
  '/api/export/render/{projectId}': () => import('@/app/api/export/render/[projectId]/route'),
  '/api/export/status/{jobId}': () => import('@/app/api/export/status/[jobId]/route'),
  '/api/health': () => import('@/app/api/health/route'),
  '/api/health/ready': () => import('@/app/api/health/ready/route'),
  '/api/image-gen/callback': () => import('@/app/api/image-gen/callback/route'),
  '/api/image-gen/jobs': () => import('@/app/api/image-gen/jobs/route'),
  '/api/image-gen/jobs/{jobId}': () => import('@/app/api/image-gen/jobs/[jobId]/route'),
  '/api/image-gen/jobs/{jobId}/cancel': () => import('@/app/api/image-gen/jobs/[jobId]/cancel/route'),
  '/api/image-gen/jobs/{jobId}/messages': () => import('@/app/api/image-gen/jobs/[jobId]/messages/route'),
  '/api/image-gen/jobs/{jobId}/retry': () => import('@/app/api/image-gen/jobs/[jobId]/retry/route'),
  '/api/image-gen/messages': () => import('@/app/api/image-gen/messages/route'),
  '/api/matlib/categories': () => import('@/app/api/matlib/categories/route'),
  '/api/matlib/files/{id}': () => import('@/app/api/matlib/files/[id]/route'),
  '/api/matlib/info/{id}': () => import('@/app/api/matlib/info/[id]/route'),
  '/api/matlib/search': () => import('@/app/api/matlib/search/route'),
  '/api/projects': () => import('@/app/api/projects/route'),
  '/api/projects/{id}': () => import('@/app/api/projects/[id]/route'),
  '/api/projects/{id}/images': () => import('@/app/api/projects/[id]/images/route'),
  '/api/projects/{id}/images/material': () => import('@/app/api/projects/[id]/images/material/route'),
  '/api/projects/{id}/members': () => import('@/app/api/projects/[id]/members/route'),
  '/api/projects/{id}/members/{userId}': () => import('@/app/api/projects/[id]/members/[userId]/route'),
  '/api/projects/{id}/pages': () => import('@/app/api/projects/[id]/pages/route'),
  '/api/projects/{id}/pages/images': () => import('@/app/api/projects/[id]/pages/images/route'),
  '/api/projects/{id}/pages/version': () => import('@/app/api/projects/[id]/pages/version/route'),
  '/api/tokens': () => import('@/app/api/tokens/route'),
  '/api/tokens/{id}': () => import('@/app/api/tokens/[id]/route'),
  '/api/workflow-kit/{file}': () => import('@/app/api/workflow-kit/[file]/route'),
  '/api/openapi.json': () => import('@/app/api/openapi.json/route'),
};
