import { HttpResponse, http } from 'msw';
import { applyMode } from '@/tests/fakes/matlib/apply-mode';
import { findAsset } from '@/tests/fakes/matlib/asset-json';
import type { FakeAsset } from '@/tests/fakes/matlib/make-library';
import { makeSampleFile, makeThumbnail, type SampleFile } from '@/tests/fakes/matlib/sample-file';
import { type FakeState, takeMode } from '@/tests/fakes/matlib/state';

const LARGEST_THUMBNAIL = 1_024;

/** Finds the asset that a file belongs to. The asset's id is a folder in the path or the start of the file name. */
function assetOfFile(state: FakeState, path: string[]) {
  const name = path.at(-1)?.replace(/\.\w+$/, '') ?? '';
  const candidates = [...path, name, name.replace(/_[^_]*$/, '')];
  for (const id of candidates) {
    const asset = findAsset(state, id);
    if (asset) return asset;
  }
  return null;
}

/** Returns an asset with its current look: `repainted` assets have a different color. */
function shownNow(state: FakeState, asset: FakeAsset | null): FakeAsset | null {
  if (!asset || !state.behavior.repainted.includes(asset.id)) return asset;
  return { ...asset, look: { ...asset.look, colors: asset.look.colors.map(() => '#3a6b5c') } };
}

/** Handles requests for thumbnails and small sample files, under the same base URL as the library's API. */
export function pictureHandlers(state: FakeState, base: string) {
  async function send(key: string, make: () => Promise<SampleFile>, headers: Record<string, string>) {
    const file = state.pictures.get(key) ?? (await make());
    state.pictures.set(key, file);
    return new HttpResponse(file.bytes, {
      headers: {
        'content-type': file.contentType,
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=31536000',
        ...headers,
      },
    });
  }
  const missing = () =>
    new HttpResponse('Not found', { status: 404, headers: { 'content-type': 'text/html' } });

  return [
    http.get(`${base}/asset_img/thumbs/:file`, ({ request, params }) => {
      const { searchParams, search } = new URL(request.url);
      const asset = shownNow(state, findAsset(state, String(params.file).replace(/\.png$/, '')));
      const size = Math.min(Number(searchParams.get('width')) || 256, LARGEST_THUMBNAIL);
      return applyMode(state, takeMode(state, 'image', request), () =>
        asset
          ? send(
              `${asset.id}${asset.look.colors}${search}`,
              () => makeThumbnail(asset, size, searchParams.get('format')),
              {},
            )
          : missing(),
      );
    }),
    http.get(`${base}/file/ph-assets/*`, ({ request }) => {
      const path = new URL(request.url).pathname.split('/').map(decodeURIComponent);
      const name = path.at(-1) ?? '';
      const asset = assetOfFile(state, path);
      return applyMode(state, takeMode(state, 'download', request), () =>
        asset
          ? send(path.join('/'), () => makeSampleFile(asset, name), {
              'content-disposition': `attachment; filename="${name}"`,
            })
          : missing(),
      );
    }),
  ];
}
