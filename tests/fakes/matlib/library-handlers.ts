import { HttpResponse, http } from 'msw';
import { applyMode } from '@/tests/fakes/matlib/apply-mode';
import { assetJson, findAsset, listBody } from '@/tests/fakes/matlib/asset-json';
import { makeFileTree } from '@/tests/fakes/matlib/file-tree';
import { type FakeType, types } from '@/tests/fakes/matlib/make-library';
import { type FakeState, takeMode } from '@/tests/fakes/matlib/state';

const idFormat = /^[a-zA-Z0-9_-]{1,50}$/;

// The library's errors are HTML text, not JSON.
function refuse(status: number, message: string): Response {
  return new HttpResponse(message, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

const cached = { 'cache-control': 'public, max-age=43200, s-maxage=43200, stale-while-revalidate=86400' };

/**
 * Handles `GET /assets`, `/info/{id}`, `/files/{id}`, `/types` and `/ping`, with the responses and quirks of the real
 * library.
 */
export function libraryHandlers(state: FakeState, base: string) {
  const originOf = (request: Request) => base || new URL(request.url).origin;

  const list = http.get(`${base}/assets`, ({ request }) => {
    const mode = takeMode(state, 'list', request);
    return applyMode(state, mode, () => {
      const { searchParams } = new URL(request.url);
      const type = searchParams.get('type') ?? searchParams.get('t') ?? '';
      if (!types.includes(type as FakeType)) return refuse(400, `Unsupported asset type: ${type}.`);
      const { text, etag } = listBody(state, {
        type: type as FakeType,
        origin: originOf(request),
        future: searchParams.has('future'),
        isShrunk: mode === 'shrunk',
      });
      const headers = { etag, 'content-type': 'application/json; charset=utf-8' };
      if (request.headers.get('if-none-match') === etag)
        return new HttpResponse(null, { status: 304, headers });
      return new HttpResponse(text, { headers });
    });
  });

  /**
   * Handles requests for an asset by its id. As in the real library, these routes ignore the publication date, so they
   * also return assets that are not published yet.
   */
  const byId = (kind: 'info' | 'files') =>
    http.get(`${base}/${kind}/:id`, ({ request, params }) => {
      const id = String(params.id);
      return applyMode(state, takeMode(state, kind, request), () => {
        if (!idFormat.test(id)) return refuse(400, 'No asset with that ID');
        const asset = findAsset(state, id);
        if (!asset) return refuse(404, `No asset with id ${id}`);
        const origin = originOf(request);
        const body =
          kind === 'files'
            ? makeFileTree(asset, origin)
            : { ...assetJson(state, asset, origin), old_id: `${id}_old`, scale: '2x2m', staging: false };
        return HttpResponse.json(body, { headers: cached });
      });
    });

  return [
    list,
    byId('info'),
    byId('files'),
    http.get(`${base}/types`, () => HttpResponse.json(types)),
    http.get(`${base}/ping`, () => HttpResponse.text('pong')),
  ];
}
