import type { z } from 'zod';
import { imageKey, imagesOf } from '@/lib/document/page-model';
import type { Bytes } from '@/lib/http/join-bytes';
import { embeddedDocument } from './embedded-document';
import { jsonBytes } from './packed-document';
import { parseDocumentBody } from './parse-body';
import { describePathInDocument, type openedDocument } from './schema';

// These functions are slow for a large document, so they run in worker threads (see `app/document-tasks.ts`).

/**
 * Parses the JSON of an embedded document and returns the distinct keys of its images (see `imageKey`). Throws
 * `invalid_json` or `invalid_request`.
 */
export function parseEmbedded(json: Bytes): { imageKeys: string[] } {
  const { cover, masters, pages } = parseDocumentBody(embeddedDocument, json);
  const keys = [imageKey(cover), ...imagesOf([...masters, ...pages]).map(({ key }) => key)];
  return { imageKeys: [...new Set(keys.filter((key) => key !== null))] };
}

/**
 * Returns an embedded document with its images replaced, as an `openedDocument` in UTF-8 JSON. `images` maps an image's
 * key to the id of its replacement, or to null to keep the image. Images that are not in the map are removed, and
 * `notices` names their frames, which become empty.
 */
export function withImages(json: Bytes, images: ReadonlyMap<string, string | null>): Bytes {
  const { atelier, projectId, images: origins, ...document } = parseDocumentBody(embeddedDocument, json);
  const { cover, masters, pages } = document;
  const notices: string[] = [];
  const sourceOf = (key: string | null, name: string) => {
    if (key === null) return null;
    const id = images.get(key);
    if (id === null) return null;
    if (id === undefined) notices.push(`${name}: the image is not available, so the frame is empty.`);
    return { imageId: id ?? null, path: null };
  };
  for (const [list, layers] of Object.entries({ masters, pages })) {
    for (const { key, source, pageIndex, elementIndex } of imagesOf(layers)) {
      const name = describePathInDocument({ masters, pages }, [list, pageIndex, 'elements', elementIndex]);
      Object.assign(source, sourceOf(key, name));
    }
  }
  const opened: z.output<typeof openedDocument> = {
    document: { ...document, cover: { ...cover, ...sourceOf(imageKey(cover), 'Cover') } },
    notices,
  };
  return jsonBytes(opened);
}
