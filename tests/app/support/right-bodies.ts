import { randomUUID } from 'node:crypto';
import { unknownId, unknownLink } from '@/tests/app/support/access-table';
import { onePage } from '@/tests/app/support/exports';
import { unique } from '@/tests/app/support/specs';

/** A project, an image and a job that exist and that a body may refer to. */
export type Existing = { projectId: string; imageId: string; imagePath: string; jobId: string };

/**
 * Returns a valid body for a JSON route such as `PUT projects/[id]/pages`. A body may refer to the records in
 * `Existing`. Most other records that a body refers to do not exist. Throws if no body is defined for the route.
 */
export function rightBody(
  name: string,
  { projectId, imageId, imagePath, jobId }: Existing,
): Record<string, unknown> {
  const bodies: Record<string, () => Record<string, unknown>> = {
    'POST admin/brands': () => ({ name: unique('Bad input') }),
    'POST admin/areas': () => ({ name: unique('Bad input') }),
    'POST admin/brands/import': () => ({ names: [unique('Bad input')] }),
    'POST admin/brands/rename': () => ({ name: unique('Unknown'), newName: unique('Bad input') }),
    'POST admin/brands/merge': () => ({ name: unique('Unknown'), into: unique('Unknown') }),
    'POST admin/brands/delete': () => ({ name: unique('Unknown') }),
    'POST admin/areas/import': () => ({ names: [unique('Bad input')] }),
    'POST admin/areas/rename': () => ({ name: unique('Unknown'), newName: unique('Bad input') }),
    'POST admin/areas/merge': () => ({ name: unique('Unknown'), into: unique('Unknown') }),
    'POST admin/areas/delete': () => ({ name: unique('Unknown') }),
    'POST admin/specs/retry': () => ({ specUploadId: unknownId }),
    'POST admin/specs/batch/retry': () => ({ specUploadIds: [unknownId] }),
    'POST admin/specs/batch/delete': () => ({ specUploadIds: [unknownId] }),
    'POST admin/specs/batch/edit': () => ({
      specUploadIds: [unknownId],
      area: 'Lobby',
      propertyName: 'Hotel',
    }),
    'POST admin/specs/batch/downloads': () => ({ specUploadIds: [unknownId] }),
    'POST admin/specs/matches': () => ({
      files: [{ fileName: 'lobby v2.pdf', brandName: 'Acme Hotels', area: 'Lobby', propertyName: 'Hotel' }],
    }),
    'POST admin/specs/stop': () => ({ specUploadId: unknownId }),
    'POST admin/specs/process-again': () => ({ specUploadId: unknownId }),
    'POST admin/specs/callback': () => ({
      spec_upload_id: unknownId,
      status: 'completed',
      sections_count: 3,
      sections: [{ title: 'Curtains', page: 2, level: 1, text: 'Curtains hang 2 cm above the floor.' }],
      error: 'no text',
    }),
    'PUT admin/specs/[id]/sections': () => ({
      version: 0,
      sections: [{ title: 'Curtains', page: 2, level: 1, text: 'Curtains hang 2 cm above the floor.' }],
    }),
    'POST admin/specs/[id]/sections/restore': () => ({ version: 0 }),
    // Use a host name that does not resolve, and an event that rarely occurs.
    'POST admin/workflow/endpoints': () => ({
      name: unique('Bad input'),
      url: 'https://hooks.invalid/atelier',
      events: ['export.failed'],
    }),
    'PATCH admin/workflow/endpoints/[id]': () => ({
      name: unique('Bad input'),
      events: ['export.failed'],
      header: { name: 'x-token', value: 'a token' },
    }),
    'POST admin/workflow/tests': () => ({ kind: 'spec' }),
    'POST admin/workflow/test-callback': () => ({ kind: 'image' }),
    'POST tokens': () => ({ name: unique('Bad input'), role: 'viewer', kind: 'personal', expiresInDays: 7 }),
    'PUT account': () => ({ name: 'Ines Durand' }),
    // Send a wrong current password, because changing the password would sign the tests out.
    'POST account/password': () => ({ currentPassword: 'not-the-password', newPassword: 'atelier-demo' }),
    'POST account/reset': () => ({ email: `${randomUUID()}@atelier.test` }),
    'POST account/link': () => ({ token: unknownLink }),
    'POST account/link/password': () => ({
      token: unknownLink,
      password: 'a long new password',
      name: 'Ines',
    }),
    'POST admin/people': () => ({ email: `${randomUUID()}@atelier.test`, isAdmin: false, copy: true }),
    'PATCH admin/people/[id]': () => ({ isAdmin: false, isDisabled: false }),
    'POST admin/people/[id]/link': () => ({ copy: true }),
    'POST projects': () => ({ name: unique('Bad input') }),
    'PATCH image-gen/jobs/[jobId]': () => ({ name: 'Lobby, final' }),
    'PATCH projects/[id]': () => ({ name: unique('Bad input') }),
    'POST projects/[id]/archive': () => ({ archived: false }),
    'POST projects/[id]/members': () => ({ email: 'member@atelier.test', role: 'viewer' }),
    'POST image-gen/jobs': () => ({
      projectId,
      prompt: 'A lobby [silent]',
      inputImageId: imageId,
      inputImagePath: imagePath,
      pageId: 'page-1',
      materialIds: ['oak_01'],
      materialPayload: [{ id: 'oak_01', name: 'Oak', imageUrl: 'https://cdn.example/oak.jpg' }],
      options: { size: '64x64', seed: 7, safety: 'strict', count: 1 },
    }),
    'POST projects/[id]/documents': () => ({ name: unique('Bad input') }),
    'PATCH projects/[id]/documents/[documentId]': () => ({ name: unique('Bad input') }),
    'POST projects/[id]/documents/[documentId]/archive': () => ({ archived: false }),
    'POST projects/[id]/page-templates': () => ({
      name: unique('Bad input'),
      content: { format: 'A4', orientation: 'portrait', pages: [onePage()], masters: [] },
    }),
    'PATCH projects/[id]/page-templates/[templateId]': () => ({ name: unique('Bad input') }),
    'PUT projects/[id]/pages': () => ({
      version: 0,
      format: 'A4',
      orientation: 'portrait',
      language: 'en-GB',
      cover: { title: 'Cover' },
      pages: [onePage()],
    }),
    'POST projects/[id]/pages/versions': () => ({ version: 1, name: 'For the client' }),
    'PATCH projects/[id]/pages/versions/[versionId]': () => ({ name: 'For the client' }),
    'POST projects/[id]/pages/versions/[versionId]/restore': () => ({ version: 1, pageIds: ['p1'] }),
    'POST projects/[id]/pages/images': () => ({ keys: [imageId] }),
    'POST projects/[id]/images/copy': () => ({ keys: [imageId] }),
    'POST projects/[id]/images/material': () => ({ materialId: 'ModernArmChair_01' }),
    'POST projects/[id]/gallery/star': () => ({ imageIds: [unknownId], starred: true }),
    'POST projects/[id]/gallery/delete': () => ({ imageIds: [unknownId] }),
    'POST projects/[id]/gallery/downloads': () => ({ imageIds: [unknownId] }),
    'POST projects/[id]/gallery/restore': () => ({ imageIds: [unknownId] }),
    'POST projects/[id]/share-links': () => ({
      kind: 'gallery',
      name: unique('Bad input'),
      expiresInDays: 1,
      allowDownload: true,
      showPrompts: true,
    }),
    'POST export/pdf': () => ({
      projectId,
      pages: [onePage()],
      options: { format: 'letter', orientation: 'landscape', includecover: true, includeToc: true },
    }),
    'POST image-gen/messages': () => ({
      jobId,
      prompt: 'Warmer [silent]',
      variantId: 'v1',
      materialIds: ['oak_01'],
      materialPayload: [{ id: 'oak_01', name: 'Oak', imageUrl: 'https://cdn.example/oak.jpg' }],
      options: { size: '64x64', seed: 7, safety: 'strict', count: 1 },
    }),
    'POST image-gen/swaps': () => ({
      projectId,
      variantId: unknownId,
      where: 'the floor',
      materials: [{ id: 'oak_01', name: 'Oak', imageUrl: 'https://cdn.example/oak.jpg' }],
      options: { size: '64x64', seed: 7, safety: 'strict' },
    }),
    'POST image-gen/callback': () => ({
      job_id: unknownId,
      status: 'succeeded',
      output_paths: [{ variant_id: 'v1', path: 'images/x', thumb_path: 'images/y', meta: { seed: 7 } }],
      error: 'no light',
    }),
  };
  const body = bodies[name];
  if (!body) throw new Error(`There is no body for ${name}; add one.`);
  return body();
}
