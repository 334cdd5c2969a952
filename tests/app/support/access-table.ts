import { randomUUID } from 'node:crypto';
import type { Access } from '@/lib/auth/access';
import { documentSummary } from '@/lib/export/documents/schema';
import { pageTemplate } from '@/lib/export/page-templates/schema';
import { documentVersionResponse } from '@/lib/export/schema';
import { makeToken } from '@/tests/app/support/access-tokens';
import type { Api, CallOptions } from '@/tests/app/support/api';
import { embedded, pdfWith } from '@/tests/app/support/embedded-pdf';
import { anExport, cancelExport, onePage } from '@/tests/app/support/exports';
import { studioFont } from '@/tests/app/support/fonts';
import { form } from '@/tests/app/support/form';
import { cancelJob, startJob } from '@/tests/app/support/image-jobs';
import { newUser } from '@/tests/app/support/people';
import { picture } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { unique, upload } from '@/tests/app/support/specs';
import { makeProject, type Team } from '@/tests/app/support/team';
import { uploadParts } from '@/tests/app/support/upload-parts';

/**
 * The kinds of callers that each route is tested with. `member` is an editor of the project. `token` sends access
 * tokens with the role viewer: one of the project owner and one of a service. The last four send secrets: the route's
 * current secret, its previous secret (which cron routes do not have), wrong secrets, or the secret of another kind of
 * route. A route that takes no secret gets the same secrets as the route of spec callbacks.
 */
export const callers = [
  'anonymous',
  'stranger',
  'viewer',
  'token',
  'member',
  'owner',
  'admin',
  'secret',
  'previousSecret',
  'wrongSecret',
  'otherSecret',
] as const;
export type CallerKind = (typeof callers)[number];
type Statuses = Record<CallerKind, number>;
export const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof everyMethod)[number];
/**
 * What the calls use: an admin, a team, and the settings of the product. Most calls to project routes concern the
 * team's project.
 */
export type Site = { admin: Api; team: Team; env: Record<string, string> };
type Params = Record<string, string>;
export type Row = {
  /** The folder of the route file, relative to `app/api`. */
  route: string;
  method: Method;
  access: Access;
  statuses: Statuses;
  /** Prepares a call that is valid for a caller with access. */
  call?: (site: Site) => Promise<CallOptions & { params?: Params; query?: string }>;
};

const all = (status: number): Statuses => ({
  anonymous: status,
  stranger: status,
  viewer: status,
  token: status,
  member: status,
  owner: status,
  admin: status,
  secret: status,
  previousSecret: status,
  wrongSecret: status,
  otherSecret: status,
});
const people = (status: number) => ({
  stranger: status,
  viewer: status,
  token: status,
  member: status,
  owner: status,
  admin: status,
});
const signedIn = (status: number) => ({ ...all(401), ...people(status) });
/** Returns the statuses for a change outside of projects. A token with the role viewer may not make such a change. */
const signedInWrite = (status: number) => ({ ...signedIn(status), token: 403 });
const adminOnly = (status: number) => ({ ...signedIn(403), admin: status });
// Each of the next three functions returns the statuses for a project route. Members with the role in the function's
// name or a stronger role have access, and so do admins. Members with a weaker role get 403, and strangers get 404.
const viewerUp = (status: number) => ({ ...signedIn(status), stranger: 404 });
const editorUp = (status: number) => ({ ...viewerUp(status), viewer: 403, token: 403 });
const ownerUp = (status: number) => ({ ...editorUp(status), member: 403 });
const secretOnly = (status: number) => ({ ...all(401), secret: status, previousSecret: status });

const newName = async () => ({ json: { name: unique('Access') } });
async function ownName({ admin }: Site, list: 'brands' | 'areas'): Promise<string> {
  const name = unique('Access');
  await admin(`/api/admin/${list}`, { json: { name } });
  return name;
}
const ownSpec = async ({ admin }: Site) => ({
  params: { id: await upload(admin, { propertyName: '[silent]' }) },
});
const ofProject = async ({ team }: Site) => ({ params: { id: team.projectId } });
/** Creates a document in the team's project, and returns the parameters of its path. */
async function ownDocument({ admin, team: { projectId: id } }: Site) {
  const { body } = await admin(`/api/projects/${id}/documents`, { json: { name: unique('Access') } });
  return { id, documentId: documentSummary.parse(body).id };
}
/** Creates a page template as an administrator, and returns the parameters of its path. */
async function ownTemplate({ admin, team: { projectId: id } }: Site) {
  const json = { name: unique('Access'), content: { pages: [onePage()] } };
  const { body } = await admin(`/api/projects/${id}/page-templates`, { json });
  return { id, templateId: pageTemplate.parse(body).id };
}
/** Creates a project with the owner, editor and viewer of the team, and returns its id. */
async function ownProject({ team: { owner, editor, viewer } }: Site): Promise<string> {
  const id = await makeProject(owner.api);
  for (const [{ email }, role] of [
    [editor, 'editor'],
    [viewer, 'viewer'],
  ] as const) {
    await owner.api(`/api/projects/${id}/members`, { json: { email, role } });
  }
  return id;
}
const startedJob = async ({ admin, team }: Site) => startJob(admin, { projectId: team.projectId });
const ofJob = async (site: Site) => ({ params: { jobId: await startedJob(site) } });
async function endedJob(site: Site): Promise<string> {
  const jobId = await startedJob(site);
  await cancelJob(site.admin, jobId);
  return jobId;
}
const ofExport = async ({ admin, team }: Site) => ({
  params: { jobId: await anExport(admin, { projectId: team.projectId, pages: [onePage()] }) },
});

const aModel = async () => ({ params: { id: 'ModernArmChair_01' } });

/** Lists every method of every route in `app/api`, and the status that each kind of caller gets for the row's call. */
export const accessTable: Row[] = [
  { route: 'health', method: 'GET', access: 'public', statuses: all(200) },
  { route: 'openapi.json', method: 'GET', access: 'public', statuses: all(200) },
  {
    route: 'workflow-kit/[file]',
    method: 'GET',
    access: 'public',
    statuses: all(200),
    call: async () => ({ params: { file: 'atelier-spec.n8n.json' } }),
  },
  { route: 'health/ready', method: 'GET', access: 'public', statuses: all(200) },
  ...everyMethod.map((method) => {
    return { route: '[...path]', method, access: 'public' as const, statuses: all(404) };
  }),
  { route: 'cron/tick', method: 'GET', access: 'cron', statuses: { ...all(401), secret: 200 } },
  { route: 'cron/tick', method: 'POST', access: 'cron', statuses: { ...all(401), secret: 200 } },
  { route: 'admin/brands', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  { route: 'admin/brands', method: 'POST', access: 'admin', statuses: adminOnly(201), call: newName },
  { route: 'admin/areas', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  { route: 'admin/areas', method: 'POST', access: 'admin', statuses: adminOnly(201), call: newName },
  { route: 'admin/catalogue', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  {
    route: 'admin/brands/import',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async () => ({ json: { names: [unique('Access')] } }),
  },
  {
    route: 'admin/brands/rename',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async (site) => ({ json: { name: await ownName(site, 'brands'), newName: unique('Access') } }),
  },
  {
    route: 'admin/brands/merge',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async (site) => ({
      json: { name: await ownName(site, 'brands'), into: await ownName(site, 'brands') },
    }),
  },
  {
    route: 'admin/brands/delete',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(204),
    call: async (site) => ({ json: { name: await ownName(site, 'brands') } }),
  },
  {
    route: 'admin/areas/import',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async () => ({ json: { names: [unique('Access')] } }),
  },
  {
    route: 'admin/areas/rename',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async (site) => ({ json: { name: await ownName(site, 'areas'), newName: unique('Access') } }),
  },
  {
    route: 'admin/areas/merge',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async (site) => ({
      json: { name: await ownName(site, 'areas'), into: await ownName(site, 'areas') },
    }),
  },
  {
    route: 'admin/areas/delete',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(204),
    call: async (site) => ({ json: { name: await ownName(site, 'areas') } }),
  },
  { route: 'admin/specs', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  {
    route: 'admin/specs/upload',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(202),
    call: async () => form(await uploadParts({ propertyName: '[silent]' })),
  },
  {
    route: 'admin/specs/retry',
    method: 'POST',
    access: 'admin',
    // The caller is authorized, but no such spec exists.
    statuses: adminOnly(404),
    call: async () => ({ json: { specUploadId: randomUUID() } }),
  },
  {
    route: 'admin/specs/batch/retry',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(202),
    call: async () => ({ json: { specUploadIds: [unknownId] } }),
  },
  {
    route: 'admin/specs/batch/delete',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async () => ({ json: { specUploadIds: [unknownId] } }),
  },
  {
    route: 'admin/specs/batch/edit',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async () => ({ json: { specUploadIds: [unknownId], area: 'Lobby' } }),
  },
  {
    route: 'admin/specs/batch/downloads',
    method: 'POST',
    access: 'admin',
    // The caller is authorized, but no such spec exists.
    statuses: adminOnly(404),
    call: async () => ({ json: { specUploadIds: [unknownId] } }),
  },
  {
    route: 'admin/specs/batch/downloads/[downloadId]',
    method: 'GET',
    access: 'admin',
    statuses: adminOnly(404),
    call: async () => ({ params: { downloadId: unknownId } }),
  },
  {
    route: 'admin/specs/matches',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async () => ({ json: { files: [{ fileName: 'a.pdf', brandName: 'A', area: 'B' }] } }),
  },
  {
    route: 'admin/specs/process-again',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(404),
    call: async () => ({ json: { specUploadId: unknownId } }),
  },
  {
    route: 'admin/specs/stop',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(404),
    call: async () => ({ json: { specUploadId: unknownId } }),
  },
  {
    route: 'admin/specs/[id]/versions',
    method: 'GET',
    access: 'admin',
    statuses: adminOnly(200),
    call: ownSpec,
  },
  {
    route: 'admin/specs/[id]/changes',
    method: 'GET',
    access: 'admin',
    // The spec has no earlier version.
    statuses: adminOnly(404),
    call: ownSpec,
  },
  {
    route: 'admin/specs/callback',
    method: 'POST',
    access: 'spec-workflow',
    statuses: secretOnly(404),
    call: async () => ({ json: { spec_upload_id: unknownId, status: 'completed' } }),
  },
  { route: 'admin/specs/[id]', method: 'GET', access: 'admin', statuses: adminOnly(200), call: ownSpec },
  { route: 'admin/specs/[id]', method: 'DELETE', access: 'admin', statuses: adminOnly(204), call: ownSpec },
  {
    route: 'admin/specs/[id]/sections',
    method: 'GET',
    access: 'admin',
    statuses: adminOnly(200),
    call: ownSpec,
  },
  // In the next two rows, the caller is authorized, but no such spec exists.
  {
    route: 'admin/specs/[id]/sections',
    method: 'PUT',
    access: 'admin',
    statuses: adminOnly(404),
    call: async () => ({ json: { version: 1, sections: [] } }),
  },
  {
    route: 'admin/specs/[id]/sections/restore',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(404),
    call: async () => ({ json: { version: 1 } }),
  },
  {
    route: 'admin/specs/[id]/sections/csv',
    method: 'GET',
    access: 'admin',
    statuses: adminOnly(200),
    call: ownSpec,
  },
  { route: 'admin/workflow/events', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  { route: 'admin/workflow/events/[id]/apply', method: 'POST', access: 'admin', statuses: adminOnly(404) },
  { route: 'admin/workflow/refused', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  { route: 'admin/workflow/deliveries', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  // In the `admin/workflow` rows below, 404 means that no such delivery, endpoint or test exists.
  { route: 'admin/workflow/deliveries/[id]/send', method: 'POST', access: 'admin', statuses: adminOnly(404) },
  { route: 'admin/workflow/endpoints', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  {
    route: 'admin/workflow/endpoints',
    method: 'POST',
    access: 'admin',
    // The caller is authorized, but the URL is refused.
    statuses: adminOnly(400),
    call: async () => ({ json: { name: 'Access', url: 'https://10.0.0.1/', events: ['export.failed'] } }),
  },
  {
    route: 'admin/workflow/endpoints/[id]',
    method: 'PATCH',
    access: 'admin',
    statuses: adminOnly(404),
    call: async () => ({ json: { name: 'Access', events: ['export.failed'], header: null } }),
  },
  { route: 'admin/workflow/endpoints/[id]', method: 'DELETE', access: 'admin', statuses: adminOnly(404) },
  {
    route: 'admin/workflow/endpoints/[id]/resume',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(404),
  },
  {
    route: 'admin/workflow/tests',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(202),
    call: async () => ({ json: { kind: 'spec' } }),
  },
  { route: 'admin/workflow/tests/[id]', method: 'GET', access: 'admin', statuses: adminOnly(404) },
  {
    route: 'admin/workflow/test-callback',
    method: 'POST',
    access: 'admin',
    statuses: adminOnly(200),
    call: async () => ({ json: { kind: 'spec' } }),
  },
  { route: 'admin/tokens', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  {
    route: 'admin/tokens/[id]',
    method: 'DELETE',
    access: 'admin',
    statuses: adminOnly(204),
    call: async ({ admin }) => ({ params: { id: (await makeToken(admin, { role: 'viewer' })).id } }),
  },
  { route: 'tokens', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  {
    route: 'tokens',
    method: 'POST',
    access: 'session',
    statuses: signedInWrite(201),
    call: async () => ({ json: { name: unique('Access'), role: 'viewer' } }),
  },
  {
    route: 'tokens/[id]',
    method: 'DELETE',
    access: 'signed-in',
    // The caller is authorized, but has no such token.
    statuses: signedInWrite(404),
  },
  { route: 'account', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  {
    route: 'account',
    method: 'PUT',
    access: 'session',
    statuses: signedInWrite(200),
    call: async () => ({ json: {} }),
  },
  {
    route: 'account/picture',
    method: 'POST',
    access: 'session',
    statuses: signedInWrite(200),
    call: async () => form([{ name: 'file', value: await picture(), fileName: 'a.png', type: 'image/png' }]),
  },
  { route: 'account/picture', method: 'DELETE', access: 'session', statuses: signedInWrite(204) },
  {
    route: 'account/password',
    method: 'POST',
    access: 'session',
    // The caller is authorized, but the current password is wrong.
    statuses: signedInWrite(400),
    call: async () => ({ json: { currentPassword: 'not mine', newPassword: 'a long new password' } }),
  },
  {
    route: 'account/reset',
    method: 'POST',
    access: 'public',
    statuses: all(204),
    call: async () => ({ json: { email: `${randomUUID()}@atelier.test` } }),
  },
  // In the rows below for links, pictures and people, 404 means that no such link, picture or person exists.
  {
    route: 'account/link',
    method: 'POST',
    access: 'public',
    statuses: all(404),
    call: async () => ({ json: { token: unknownLink } }),
  },
  {
    route: 'account/link/password',
    method: 'POST',
    access: 'public',
    statuses: all(404),
    call: async () => ({ json: { token: unknownLink, password: 'a long new password' } }),
  },
  { route: 'people/[id]/picture', method: 'GET', access: 'signed-in', statuses: signedIn(404) },
  { route: 'admin/people', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  {
    route: 'admin/people',
    method: 'POST',
    access: 'admin-session',
    statuses: adminOnly(201),
    call: async () => ({ json: { email: `${randomUUID()}@atelier.test`, copy: true } }),
  },
  { route: 'admin/people/[id]', method: 'GET', access: 'admin', statuses: adminOnly(404) },
  {
    route: 'admin/people/[id]',
    method: 'PATCH',
    access: 'admin-session',
    statuses: adminOnly(404),
    call: async () => ({ json: { isAdmin: true } }),
  },
  {
    route: 'admin/people/[id]/link',
    method: 'POST',
    access: 'admin-session',
    statuses: adminOnly(404),
    call: async () => ({ json: {} }),
  },
  { route: 'admin/activity', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  { route: 'admin/activity/actors', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  { route: 'admin/activity/csv', method: 'GET', access: 'admin', statuses: adminOnly(200) },
  { route: 'projects', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  { route: 'projects', method: 'POST', access: 'signed-in', statuses: signedInWrite(201), call: newName },
  { route: 'projects/[id]', method: 'GET', access: 'viewer', statuses: viewerUp(200), call: ofProject },
  {
    route: 'projects/[id]',
    method: 'PATCH',
    access: 'owner',
    statuses: ownerUp(200),
    call: async (site) => ({ ...(await ofProject(site)), ...(await newName()) }),
  },
  {
    route: 'projects/[id]',
    method: 'DELETE',
    access: 'owner',
    statuses: ownerUp(204),
    call: async (site) => ({ params: { id: await ownProject(site) } }),
  },
  {
    route: 'projects/[id]/archive',
    method: 'POST',
    access: 'owner',
    statuses: ownerUp(200),
    call: async (site) => ({ ...(await ofProject(site)), json: { archived: false } }),
  },
  {
    route: 'projects/[id]/restore',
    method: 'POST',
    access: 'owner',
    statuses: ownerUp(200),
    call: async (site) => {
      const id = await ownProject(site);
      await site.admin(`/api/projects/${id}`, { method: 'DELETE' });
      return { params: { id } };
    },
  },
  {
    route: 'projects/[id]/members',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/members',
    method: 'POST',
    access: 'owner',
    statuses: ownerUp(201),
    call: async ({ team }) => ({
      params: { id: team.projectId },
      json: { email: team.viewer.email, role: 'viewer' },
    }),
  },
  {
    route: 'projects/[id]/members/[userId]',
    method: 'DELETE',
    access: 'owner',
    statuses: ownerUp(204),
    call: async ({ admin, team, env }) => {
      const { id: userId, email } = await newUser(env);
      const { projectId: id } = team;
      await admin(`/api/projects/${id}/members`, { json: { email, role: 'viewer' } });
      return { params: { id, userId } };
    },
  },
  {
    route: 'projects/[id]/images',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/images',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(201),
    call: async ({ team }) => ({
      params: { id: team.projectId },
      ...form([{ name: 'file', value: await picture(), fileName: 'a.png', type: 'image/png' }]),
    }),
  },
  {
    route: 'projects/[id]/images/copy',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(200),
    call: async ({ team }) => ({ params: { id: team.projectId }, json: { keys: ['images/none'] } }),
  },
  {
    route: 'projects/[id]/images/material',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(201),
    call: async ({ team }) => ({ params: { id: team.projectId }, json: { materialId: 'ModernArmChair_01' } }),
  },
  {
    route: 'projects/[id]/documents',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/documents',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(201),
    call: async (site) => ({ ...(await ofProject(site)), json: { name: unique('Access') } }),
  },
  {
    route: 'projects/[id]/documents/[documentId]',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: async (site) => ({ params: await ownDocument(site) }),
  },
  {
    route: 'projects/[id]/documents/[documentId]',
    method: 'PATCH',
    access: 'editor',
    statuses: editorUp(200),
    call: async (site) => ({ params: await ownDocument(site), json: { name: unique('Access') } }),
  },
  {
    route: 'projects/[id]/documents/[documentId]',
    method: 'DELETE',
    access: 'editor',
    statuses: editorUp(204),
    call: async (site) => ({ params: await ownDocument(site) }),
  },
  {
    route: 'projects/[id]/documents/[documentId]/archive',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(200),
    call: async (site) => ({ params: await ownDocument(site), json: { archived: true } }),
  },
  {
    route: 'projects/[id]/documents/[documentId]/restore',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(200),
    call: async (site) => {
      const params = await ownDocument(site);
      await site.admin(`/api/projects/${params.id}/documents/${params.documentId}`, { method: 'DELETE' });
      return { params };
    },
  },
  {
    route: 'projects/[id]/page-templates',
    method: 'GET',
    access: 'editor',
    statuses: editorUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/page-templates',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(201),
    call: async (site) => ({
      ...(await ofProject(site)),
      json: { name: unique('Access'), content: { pages: [onePage()] } },
    }),
  },
  {
    route: 'projects/[id]/page-templates/[templateId]',
    method: 'GET',
    access: 'editor',
    statuses: editorUp(200),
    call: async (site) => ({ params: await ownTemplate(site) }),
  },
  // In the next two rows, an administrator created the template, so editors and owners of the project may not change or
  // delete it.
  {
    route: 'projects/[id]/page-templates/[templateId]',
    method: 'PATCH',
    access: 'editor',
    statuses: { ...ownerUp(200), owner: 403 },
    call: async (site) => ({ params: await ownTemplate(site), json: { name: unique('Access') } }),
  },
  {
    route: 'projects/[id]/page-templates/[templateId]',
    method: 'DELETE',
    access: 'editor',
    statuses: { ...ownerUp(204), owner: 403 },
    call: async (site) => ({ params: await ownTemplate(site) }),
  },
  {
    route: 'projects/[id]/pages',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/pages',
    method: 'PUT',
    access: 'editor',
    statuses: editorUp(200),
    call: async ({ admin, team }) => {
      const id = team.projectId;
      const { body } = await admin(`/api/projects/${id}/pages`);
      return { params: { id }, json: body };
    },
  },
  {
    route: 'projects/[id]/pages/from-pdf',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(200),
    call: async ({ team }) => {
      const value = Buffer.from(await pdfWith(embedded(team.projectId, [])));
      return {
        params: { id: team.projectId },
        ...form([{ name: 'file', value, fileName: 'a.pdf', type: 'application/pdf' }]),
      };
    },
  },
  {
    route: 'projects/[id]/pages/version',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/pages/versions',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/pages/versions',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(201),
    call: async ({ admin, team }) => {
      const { body } = await admin(`/api/projects/${team.projectId}/pages/version`);
      return {
        params: { id: team.projectId },
        json: { version: documentVersionResponse.parse(body).version },
      };
    },
  },
  // In the next three rows, the caller is authorized, but the project has no such version.
  {
    route: 'projects/[id]/pages/versions/[versionId]',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(404),
    call: async ({ team }) => ({ params: { id: team.projectId, versionId: unknownId } }),
  },
  {
    route: 'projects/[id]/pages/versions/[versionId]',
    method: 'PATCH',
    access: 'editor',
    statuses: editorUp(404),
    call: async ({ team }) => ({
      params: { id: team.projectId, versionId: unknownId },
      json: { name: 'For the client' },
    }),
  },
  {
    route: 'projects/[id]/pages/versions/[versionId]/restore',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(404),
    call: async ({ team }) => ({
      params: { id: team.projectId, versionId: unknownId },
      json: { version: 1 },
    }),
  },
  // The caller is authorized, but the project has no such image.
  {
    route: 'projects/[id]/pages/images',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(404),
    call: async ({ team }) => ({ params: { id: team.projectId }, query: 'key=images/none&width=320' }),
  },
  {
    route: 'projects/[id]/pages/images',
    method: 'POST',
    access: 'viewer',
    statuses: viewerUp(200),
    call: async ({ team }) => ({ params: { id: team.projectId }, json: { keys: [] } }),
  },
  {
    route: 'projects/[id]/gallery',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/gallery/materials',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofProject,
  },
  // In the next three rows, the caller is authorized, but the project has no such image.
  {
    route: 'projects/[id]/gallery/star',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(404),
    call: async (site) => ({ ...(await ofProject(site)), json: { imageIds: [unknownId], starred: true } }),
  },
  {
    route: 'projects/[id]/gallery/delete',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(404),
    call: async (site) => ({ ...(await ofProject(site)), json: { imageIds: [unknownId] } }),
  },
  {
    route: 'projects/[id]/gallery/downloads',
    method: 'POST',
    access: 'viewer',
    statuses: viewerUp(404),
    call: async (site) => ({ ...(await ofProject(site)), json: { imageIds: [unknownId] } }),
  },
  {
    route: 'projects/[id]/gallery/downloads/[downloadId]',
    method: 'GET',
    access: 'viewer',
    // The caller is authorized, but has no such download.
    statuses: viewerUp(404),
    call: ofProject,
  },
  {
    route: 'projects/[id]/gallery/restore',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(404),
    call: async (site) => ({ ...(await ofProject(site)), json: { imageIds: [unknownId] } }),
  },
  {
    route: 'projects/[id]/standards',
    method: 'GET',
    access: 'editor',
    statuses: editorUp(200),
    call: ofProject,
  },
  // The caller is authorized, but there is no such brand standard.
  {
    route: 'projects/[id]/standards/[specUploadId]/sections',
    method: 'GET',
    access: 'editor',
    statuses: editorUp(404),
    call: async ({ team }) => ({ params: { id: team.projectId, specUploadId: unknownId } }),
  },
  {
    route: 'projects/[id]/fonts',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/fonts',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(201),
    call: async ({ team }) => ({
      params: { id: team.projectId },
      ...form([{ name: 'file', value: await studioFont('Access'), fileName: 'a.ttf', type: 'font/ttf' }]),
    }),
  },
  {
    route: 'projects/[id]/fonts/[fontId]',
    method: 'GET',
    access: 'viewer',
    // The caller is authorized, but the project has no such font.
    statuses: viewerUp(404),
    call: ofProject,
  },
  {
    route: 'projects/[id]/fonts/[fontId]',
    method: 'DELETE',
    access: 'editor',
    statuses: editorUp(404),
    call: ofProject,
  },
  {
    route: 'projects/[id]/share-links',
    method: 'GET',
    access: 'editor',
    statuses: editorUp(200),
    call: ofProject,
  },
  {
    route: 'projects/[id]/share-links',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(201),
    call: async (site) => ({ ...(await ofProject(site)), json: { kind: 'gallery', name: unique('Access') } }),
  },
  {
    route: 'projects/[id]/share-links/[linkId]',
    method: 'DELETE',
    access: 'editor',
    // The caller is authorized, but the project has no such link.
    statuses: editorUp(404),
    call: ofProject,
  },
  {
    route: 'export/pdf',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(202),
    call: async ({ team }) => ({ json: { projectId: team.projectId, pages: [onePage()] } }),
  },
  {
    route: 'export/render/[projectId]',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: async ({ team }) => ({ params: { projectId: team.projectId } }),
  },
  {
    route: 'export/jobs',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: async ({ team }) => ({ query: `projectId=${team.projectId}` }),
  },
  {
    route: 'export/status/[jobId]',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofExport,
  },
  { route: 'export/characters', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  {
    route: 'export/cancel/[jobId]',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(200),
    // Cancel now, so the export cannot complete before the call. Canceling twice is allowed.
    call: (site) =>
      poll('an export that is canceled before it completes', async () => {
        const { params } = await ofExport(site);
        return (await cancelExport(site.admin, params.jobId)).status === 200 && { params };
      }),
  },
  {
    route: 'image-gen/jobs',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: async ({ team }) => ({ query: `projectId=${team.projectId}` }),
  },
  {
    route: 'image-gen/jobs',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(202),
    call: async ({ team }) => ({ json: { projectId: team.projectId, prompt: '[silent]' } }),
  },
  { route: 'image-gen/jobs/[jobId]', method: 'GET', access: 'viewer', statuses: viewerUp(200), call: ofJob },
  {
    route: 'image-gen/jobs/[jobId]',
    method: 'PATCH',
    access: 'editor',
    statuses: editorUp(200),
    call: async (site) => ({ ...(await ofJob(site)), json: { name: 'Lobby' } }),
  },
  {
    route: 'image-gen/jobs/[jobId]/messages',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: ofJob,
  },
  {
    route: 'image-gen/jobs/[jobId]/cancel',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(200),
    call: ofJob,
  },
  {
    route: 'image-gen/jobs/[jobId]/retry',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(202),
    call: async (site) => ({ params: { jobId: await endedJob(site) } }),
  },
  {
    route: 'image-gen/messages',
    method: 'POST',
    access: 'editor',
    statuses: editorUp(202),
    call: async (site) => ({ json: { jobId: await endedJob(site), prompt: 'Warmer [silent]' } }),
  },
  {
    route: 'image-gen/swaps',
    method: 'GET',
    access: 'viewer',
    statuses: viewerUp(200),
    call: async ({ team }) => ({ query: `projectId=${team.projectId}` }),
  },
  {
    route: 'image-gen/swaps',
    method: 'POST',
    access: 'editor',
    // The caller is authorized, but the project has no such image.
    statuses: editorUp(404),
    call: async ({ team }) => ({
      json: {
        projectId: team.projectId,
        variantId: unknownId,
        where: 'the floor',
        materials: [{ id: 'oak_01' }],
      },
    }),
  },
  // No such swap exists, so every signed-in caller gets 404.
  {
    route: 'image-gen/swaps/[swapId]',
    method: 'GET',
    access: 'viewer',
    statuses: signedIn(404),
  },
  {
    route: 'image-gen/callback',
    method: 'POST',
    access: 'image-workflow',
    statuses: secretOnly(404),
    call: async () => ({ json: { job_id: unknownId, status: 'failed' } }),
  },
  { route: 'matlib/search', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  { route: 'matlib/categories', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  { route: 'matlib/info/[id]', method: 'GET', access: 'signed-in', statuses: signedIn(200), call: aModel },
  { route: 'matlib/files/[id]', method: 'GET', access: 'signed-in', statuses: signedIn(200), call: aModel },
];

export const unknownId = '00000000-0000-4000-8000-00000000dead';
/** The secret of a link that does not exist. */
export const unknownLink = 'unknown'.padEnd(43, '-');

/** Returns the URL path of a route; a missing parameter gets an id that does not exist. */
export function pathOf(route: string, params: Params = {}): string {
  return `/api/${route.replace(/\[(.+?)\]/g, (_, name) => params[name] ?? unknownId)}`;
}
