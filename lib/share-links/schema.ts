import { z } from 'zod';
import { flagParam } from '@/lib/http/flag-param';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

/**
 * - `images`: the chosen images
 * - `gallery`: all images in the project's gallery, including those generated after the link is created
 * - `document`: a document as it was last saved
 */
export const shareKind = z.enum(['images', 'gallery', 'document']);
export type ShareKind = z.infer<typeof shareKind>;

/** The possible lifetimes of a link, in days. */
export const shareDays = [1, 7, 30, 90] as const;
/** Maximum number of images that can be chosen for one link. */
export const MAX_SHARED_IMAGES = 500;

export const shareLinksParams = z.object({ id: uuid });
export const shareLinkParams = z.object({ id: uuid, linkId: uuid });

/** An active link without its URL. The URL is returned only once, when the link is created. */
export const shareLink = z.object({
  id: uuid,
  kind: shareKind,
  /** The document that the link shows; null unless the kind is `document`. */
  documentId: uuid.nullable().optional(),
  name: z.string(),
  /** The number of chosen images that are not deleted; 0 unless the kind is `images`. */
  imageCount: z.int(),
  allowDownload: z.boolean(),
  showPrompts: z.boolean(),
  /** The email address of the creator; null if the creator has none or the account was deleted. */
  createdBy: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
  openedCount: z.int(),
  lastOpenedAt: time.nullable(),
});
export type ShareLink = z.infer<typeof shareLink>;
export const shareLinksResponse = z.object({ shareLinks: z.array(shareLink) });

/** Body of `POST /api/projects/{id}/share-links`. */
export const createShareLinkBody = z
  .object({
    kind: shareKind,
    /** The chosen images; required for the kind `images` and not allowed for other kinds. */
    imageIds: z.array(uuid).min(1).max(MAX_SHARED_IMAGES).optional(),
    /** The document to show, for the kind `document`; defaults to the main document. */
    documentId: uuid.optional(),
    /** Name of the link, which visitors do not see. */
    name: text({ max: 80 }),
    expiresInDays: z.literal([...shareDays]).default(7),
    /** Whether visitors can download single images. */
    allowDownload: z.boolean().default(false),
    showPrompts: z.boolean().default(false),
  })
  .refine(({ kind, imageIds }) => (kind === 'images') === (imageIds !== undefined), {
    path: ['imageIds'],
    message: 'must be sent with the kind images, and only with it',
  })
  .refine(({ kind, documentId }) => kind === 'document' || documentId === undefined, {
    path: ['documentId'],
    message: 'must be sent only with the kind document',
  });
export type CreateShareLinkBody = z.infer<typeof createShareLinkBody>;

/** A new link. Anyone with the URL can open it. The URL is not returned again. */
export const createdShareLink = shareLink.extend({ url: z.string() });
export type CreatedShareLink = z.infer<typeof createdShareLink>;

/** An image as visitors see it. The prompt is null unless the link shows prompts. */
export type SharedImage = { id: string; width: number; height: number; prompt: string | null };

/**
 * The path parameters of `GET /share/{token}/images/{imageId}` and `GET /share/{token}/document/images/{imageId}`. An
 * invalid token or id is treated like an unknown one.
 */
export const sharedImageParams = z.object({ token: z.string(), imageId: z.string() });
export const sharedImageQuery = z.object({ thumbnail: flagParam, download: flagParam });
export const sharedDocumentParams = z.object({ token: z.string() });
