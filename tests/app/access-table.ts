import { randomUUID } from 'node:crypto';
import type { Access } from '@/lib/auth/access';
import type { Api, CallOptions } from '@/tests/app/api';
import { form } from '@/tests/app/form';
import { unique, upload } from '@/tests/app/specs';
import { uploadParts } from '@/tests/app/upload-parts';

/** Who calls. The last four carry the secret of the route's kind, as it is, as it was before, wrong, or of another kind. */
export const callers = [
  'anonymous',
  'stranger',
  'member',
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
export type Row = {
  /** The folder of the route file below `app/api`. */
  route: string;
  method: Method;
  access: Access;
  statuses: Statuses;
  /** Makes a call that is right but for who makes it. `admin` prepares what it needs. */
  call?: (admin: Api) => Promise<CallOptions & { id?: string }>;
};

const all = (status: number): Statuses => ({
  anonymous: status,
  stranger: status,
  member: status,
  admin: status,
  secret: status,
  previousSecret: status,
  wrongSecret: status,
  otherSecret: status,
});
const signedIn = (status: number) => ({ ...all(401), stranger: status, member: status, admin: status });
const adminOnly = (status: number) => ({ ...signedIn(403), admin: status });
const secretOnly = (status: number) => ({ ...all(401), secret: status, previousSecret: status });

const newName = async () => ({ json: { name: unique('Access') } });
const ownSpec = async (admin: Api) => ({ id: await upload(admin, { propertyName: '[silent]' }) });

const aModel = async () => ({ id: 'ArmChair_01' });

/** Every route file and method of the product, and the status that each kind of caller gets for a right call. */
export const accessTable: Row[] = [
  { route: 'health', method: 'GET', access: 'public', statuses: all(200) },
  ...everyMethod.map((method) => {
    return { route: '[...path]', method, access: 'public' as const, statuses: all(404) };
  }),
  { route: 'cron/tick', method: 'GET', access: 'cron', statuses: { ...all(401), secret: 200 } },
  { route: 'cron/tick', method: 'POST', access: 'cron', statuses: { ...all(401), secret: 200 } },
  { route: 'admin/brands', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  { route: 'admin/brands', method: 'POST', access: 'admin', statuses: adminOnly(201), call: newName },
  { route: 'admin/areas', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  { route: 'admin/areas', method: 'POST', access: 'admin', statuses: adminOnly(201), call: newName },
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
    // Past the gate, and then there is no such spec.
    statuses: adminOnly(404),
    call: async () => ({ json: { specUploadId: randomUUID() } }),
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
  { route: 'matlib/search', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  { route: 'matlib/categories', method: 'GET', access: 'signed-in', statuses: signedIn(200) },
  { route: 'matlib/info/[id]', method: 'GET', access: 'signed-in', statuses: signedIn(200), call: aModel },
  { route: 'matlib/files/[id]', method: 'GET', access: 'signed-in', statuses: signedIn(200), call: aModel },
];

export const unknownId = '00000000-0000-4000-8000-00000000dead';

/** The address of a route file, with an id for each of its parameters. */
export function pathOf(route: string, id: string = unknownId): string {
  return `/api/${route.replace(/\[.+?\]/g, id)}`;
}
