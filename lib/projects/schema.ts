import { z } from 'zod';
import { projectRoles } from '@/lib/auth/access';
import { cursorParam, limitParam } from '@/lib/http/page';
import { text } from '@/lib/http/text';

export const projectRole = z.enum(projectRoles);

/** `role` is the caller's own; an admin has every right and is shown as owner. */
export const project = z.object({
  id: z.uuid(),
  name: z.string(),
  role: projectRole,
  createdAt: z.string(),
});
export type Project = z.infer<typeof project>;

export const listProjectsQuery = z.object({ cursor: cursorParam, limit: limitParam });
export const projectsAnswer = z.object({ projects: z.array(project), nextCursor: z.string().nullable() });
export const createProjectBody = z.object({ name: text({ max: 120 }) });
export const projectParams = z.object({ id: z.uuid() });

export const member = z.object({
  userId: z.uuid(),
  email: z.string(),
  role: projectRole,
  createdAt: z.string(),
});
export type Member = z.infer<typeof member>;
export const membersAnswer = z.object({ members: z.array(member) });
/** Adds a member, or changes the role of one. */
export const setMemberBody = z.object({ email: z.email().max(320), role: projectRole });
export const memberParams = z.object({ id: z.uuid(), userId: z.uuid() });

/** An uploaded image has at most this many bytes (15 MB, binary). */
export const MAX_IMAGE_BYTES = 15 * 1024 * 1024;
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export const projectImage = z.object({
  id: z.uuid(),
  path: z.string(),
  url: z.string().nullable(),
  width: z.int(),
  height: z.int(),
  fileName: z.string(),
  createdAt: z.string(),
});
export type ProjectImage = z.infer<typeof projectImage>;
export const listImagesQuery = z.object({ cursor: cursorParam, limit: limitParam });
export const imagesAnswer = z.object({ images: z.array(projectImage), nextCursor: z.string().nullable() });
export const imageForm = z.object({ file: z.file() });
