import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress, isPrivateHost } from './private-host';

/** Thrown for a host in a private network, or a name that resolves only to addresses in private networks. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Returns a DNS lookup function that returns only public addresses, so that a connection cannot use a private one. */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const found = addresses.filter(({ address }) => !isPrivateAddress(address));
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
  /** Whether the operator allows this host even if it is in a private network. */
  mayBePrivate: boolean;
};

/**
 * Posts to a URL that a user has entered. Does not follow redirects or read the response body. Unless `mayBePrivate` is
 * set, checks the resolved address as part of connecting, so that it cannot change between the check and the
 * connection. Throws `PrivateAddressError`, or the connection's error.
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
      // Open a new connection, because a shared one could have been opened with another value of `mayBePrivate`.
      agent: false,
      ...(mayBePrivate ? {} : { lookup: lookUpPublic }),
    });
    sending.on('error', reject);
    // A 101 response closes the connection without a `response` or `error` event.
    sending.on('close', () => reject(new Error('The connection was closed without a response.')));
    sending.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null });
      response.on('error', () => undefined);
      response.destroy();
    });
    sending.end(body);
  });
}
