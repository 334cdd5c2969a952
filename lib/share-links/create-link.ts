import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import { missingRecord } from '@/lib/errors/missing-record';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { CreatedShareLink, CreateShareLinkBody } from './schema';
import { makeShareToken, shareKey } from './share-token';

const outcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('created'),
    id: uuid,
    image_count: z.int(),
    created_at: z.string(),
    expires_at: z.string(),
  }),
  z.object({ outcome: z.literal('not_found') }),
  z.object({ outcome: z.literal('too_many') }),
]);

/**
 * Creates a share link. Leaves out chosen images that the project does not have. Throws `unavailable`, `not_found` if
 * the project does not have the document or has none of the chosen images, or `state_conflict` if the project has too
 * many links.
 */
export async function createShareLink(
  projectId: string,
  creator: { userId: string; email: string },
  body: CreateShareLinkBody,
): Promise<CreatedShareLink> {
  const { kind, name, allowDownload, showPrompts } = body;
  const token = makeShareToken();
  const args = {
    p_user: creator.userId,
    p_project: projectId,
    p_document: body.documentId,
    p_kind: kind,
    p_name: name,
    p_image_ids: body.imageIds ?? [],
    p_allow_download: allowDownload,
    p_show_prompts: showPrompts,
    p_key: shareKey(token),
    p_days: body.expiresInDays,
  };
  const result = accepted(await callRpc('create_share_link', args, outcome), () =>
    kind === 'images'
      ? missingRecord(['imageIds'], 'image of the project')
      : missingRecord(['documentId'], 'document of the project'),
  );
  if (result.outcome === 'too_many') {
    throw new HttpError('state_conflict', 'The project has 100 share links. Revoke one first.');
  }
  return {
    id: result.id,
    kind,
    documentId: kind === 'document' ? (body.documentId ?? projectId) : null,
    name,
    imageCount: result.image_count,
    allowDownload,
    showPrompts,
    createdBy: creator.email || null,
    createdAt: result.created_at,
    expiresAt: result.expires_at,
    openedCount: 0,
    lastOpenedAt: null,
    url: new URL(`/share/${token}`, serverEnv().APP_URL).href,
  };
}
