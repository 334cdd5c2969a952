import { z } from 'zod';
import { projectRoles } from '@/lib/auth/access';
import { cursorParam, limitParam } from '@/lib/http/page';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

export const projectRole = z.enum(projectRoles);

/** `role` is the caller's role. It is always `owner` for admins, because they have all rights. */
export const project = z.object({
  id: uuid,
  name: z.string(),
  role: projectRole,
  createdAt: time,
  /** The time when the project was archived; null if it is not archived. */
  archivedAt: time.nullable(),
});
export type Project = z.infer<typeof project>;

/** The maximum number of images on a project's card. */
export const CARD_IMAGES = 4;
/** The maximum number of people on a project's card. */
export const CARD_PEOPLE = 4;

/** A person's chosen name and the path of their picture. */
const profile = { name: z.string().nullable().optional(), picture: z.string().nullable().optional() };

/** A project in a list, with its newest images and its first members. */
export const projectCard = project.extend({
  /**
   * The time of the latest of these events: the project was created, a document was created or saved, an image job was
   * created, an image was finished, or an export was requested.
   */
  activeAt: time,
  /** The time until which a deleted project can be restored; null if the project is not deleted. */
  restorableUntil: time.nullable(),
  images: z.array(z.object({ id: uuid, url: z.string().nullable() })).max(CARD_IMAGES),
  people: z.array(z.object({ userId: uuid, email: z.string(), ...profile })).max(CARD_PEOPLE),
  peopleCount: z.int(),
});
export type ProjectCardData = z.infer<typeof projectCard>;

export const projectStates = ['active', 'archived', 'deleted'] as const;
export type ProjectState = (typeof projectStates)[number];
export const listProjectsQuery = z.object({
  /** `deleted` selects the deleted projects that the caller can restore. */
  state: z.enum(projectStates).default('active'),
  cursor: cursorParam,
  limit: limitParam,
});
export type ListProjectsQuery = z.infer<typeof listProjectsQuery>;
export const projectsResponse = z.object({
  projects: z.array(projectCard),
  nextCursor: z.string().nullable(),
});
/** Request body that creates or renames a project. */
export const projectNameBody = z.object({ name: text({ max: 120 }) });
export const archiveProjectBody = z.object({ archived: z.boolean() });
export const projectParams = z.object({ id: uuid });

export const member = z.object({
  userId: uuid,
  email: z.string(),
  role: projectRole,
  createdAt: time,
  ...profile,
});
export type Member = z.infer<typeof member>;
export const membersResponse = z.object({ members: z.array(member) });
/** Request body that adds a member, or changes a member's role. */
export const setMemberBody = z.object({ email: z.email().max(320), role: projectRole });
export const memberParams = z.object({ id: uuid, userId: uuid });

/** The maximum size of an uploaded image in bytes (15 MiB). */
export const MAX_IMAGE_BYTES = 15 * 1024 * 1024;
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const;

export const projectImage = z.object({
  id: uuid,
  path: z.string(),
  url: z.string().nullable(),
  width: z.int(),
  height: z.int(),
  fileName: z.string(),
  createdAt: time,
});
export type ProjectImage = z.infer<typeof projectImage>;
export const listImagesQuery = z.object({ cursor: cursorParam, limit: limitParam });
export const imagesResponse = z.object({ images: z.array(projectImage), nextCursor: z.string().nullable() });
export const imageForm = z.object({ file: z.file() });
