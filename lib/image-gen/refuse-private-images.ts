import { assetHosts } from '@/lib/env/asset-hosts';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { isPrivateHost } from '@/lib/http/private-host';
import type { MaterialPayload } from './schema';

/**
 * Rejects image URLs on this machine or in a private network, because the workflow service would request them from
 * inside its own network. Allows the hosts of the material library, because the operator chooses them. `field` is the
 * name of the body field that contains the materials. Throws `invalid_request`.
 */
export function refusePrivateImages(materials: MaterialPayload[], field = 'materialPayload'): void {
  const chosen = assetHosts(serverEnv().MATLIB_ASSET_HOSTS);
  for (const [index, { imageUrl }] of materials.entries()) {
    const url = imageUrl === undefined ? null : new URL(imageUrl);
    if (!url || chosen.has(url.host) || !isPrivateHost(url.hostname)) continue;
    const path = `${field}.${index}.imageUrl`;
    const message = 'must not point to this machine or a private network';
    throw new HttpError('invalid_request', `${path} ${message}.`, { errors: [{ path, message }] });
  }
}
