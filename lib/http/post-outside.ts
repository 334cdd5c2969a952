import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPrivateHost } from './private-host';

/** A name that resolves to no address outside private networks. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

const isPrivateAddress = (address: string, family: number) =>
  isPrivateHost(family === 6 ? `[${address.replace(/%.*$/, '')}]` : address);

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A lookup that returns only public addresses, so that the connection uses no other. */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const found = addresses.filter(({ address, family }) => !isPrivateAddress(address, family));
      const [first] = found;
      if (!first) return callback(new PrivateAddressError(`${hostname} is in a private network`), []);
      if (options.all) return callback(null, found);
      callback(null, first.address, first.family);
    });
  };
}
const lookUpPublic = publicLookup(lookup);

type Post = {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Whether the operator allows this host although it may be in a private network. */
  mayBePrivate: boolean;
};

/**
 * Posts to a URL that people have entered. Follows no redirect and reads no body. Unless it may be private, the address
 * that its name resolves to is checked when connecting, so that the name cannot change in between. Throws
 * `PrivateAddressError`, or the error of the connection.
 */
export function postOutside(
  address: string,
  { headers, body, signal, mayBePrivate }: Post,
): Promise<{ status: number; retryAfter: string | null }> {
  const url = new URL(address);
  if (!mayBePrivate && isPrivateHost(url.hostname)) {
    return Promise.reject(new PrivateAddressError(`${url.hostname} is in a private network`));
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal,
      // A connection of its own, because a shared one could have been opened under another rule.
      agent: false,
      ...(mayBePrivate ? {} : { lookup: lookUpPublic }),
    });
    sending.on('error', reject);
    // A 101 closes the connection without a response or an error.
    sending.on('close', () => reject(new Error('The connection was closed without a response.')));
    sending.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null });
      response.on('error', () => undefined);
      response.destroy();
    });
    sending.end(body);
  });
}
