import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export type StoredObject = { type: string; bytes: Buffer };
export type ReceivedCallback = {
  secret: string;
  run: string | null;
  text: string;
  /** Number of stored objects when the callback arrived. */
  objects: number;
};
export type TriggerChanges = {
  id?: string;
  property?: string | null;
  run?: number;
  attempt?: number;
  deadlineInMs?: number;
  data?: Record<string, unknown>;
};

/**
 * Starts a fake of the app and its storage for the tests of the fake workflow service. It serves one spec and any
 * `objects`, accepts uploads to signed URLs, receives callbacks, and makes signed triggers. `callbackStatuses` lists
 * the statuses of the next responses to callbacks, and `putStatuses` those of the next responses to uploads. The first
 * upload to a signed URL is stored whatever the status of its response. A further upload to the same URL gets 400 and
 * does not use up an entry of `putStatuses`.
 */
export async function startFakeApp(secrets: { signingSecret: string; webhookSecret: string }) {
  const callbacks: ReceivedCallback[] = [];
  const callbackStatuses: number[] = [];
  const putStatuses: number[] = [];
  const objects = new Map<string, StoredObject>();
  const fetched: string[] = [];
  let file: Uint8Array = new Uint8Array();

  async function receive(request: IncomingMessage): Promise<number> {
    const status =
      callbackStatuses.shift() ?? (request.headers['x-webhook-secret'] === secrets.webhookSecret ? 200 : 401);
    const { searchParams } = new URL(request.url ?? '', 'http://app.test');
    const secret = String(request.headers['x-webhook-secret']);
    callbacks.push({
      secret,
      run: searchParams.get('run'),
      text: await text(request),
      objects: objects.size,
    });
    return status;
  }

  async function take(request: IncomingMessage): Promise<[number, string]> {
    const path = signedPath(request.url, '/storage/v1/object/upload/sign/');
    const bytes = await buffer(request);
    if (path === null) return [400, '{"statusCode":"400","error":"InvalidSignature"}'];
    if (objects.has(path)) return [400, '{"statusCode":"409","error":"Duplicate"}'];
    objects.set(path, { type: String(request.headers['content-type']), bytes });
    return [putStatuses.shift() ?? 200, '{}'];
  }

  const server = createServer(async (request, response) => {
    const path = signedPath(request.url, '/storage/v1/object/sign/');
    if (request.method === 'GET') fetched.push(request.url ?? '');
    if (request.method === 'POST') response.writeHead(await receive(request)).end();
    else if (request.method === 'PUT') {
      const [status, answer] = await take(request);
      response.writeHead(status).end(answer);
    } else if (path !== null && objects.has(path)) response.end(objects.get(path)?.bytes);
    else if (request.url?.startsWith('/spec.pdf?token=')) response.end(file);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    callbacks,
    callbackStatuses,
    putStatuses,
    /** Stored objects, keyed by path. A path starts with the bucket. */
    objects,
    /** URLs of the GET requests so far. */
    fetched,
    url,
    /** Sets the spec that the storage serves from now on. */
    store(bytes: Uint8Array) {
      file = bytes;
    },
    /** Makes a trigger for the stored spec, signed as the app signs it. */
    trigger: (changes: TriggerChanges = {}) => signedTrigger(secrets.signingSecret, url, file, changes),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function signedPath(address: string | undefined, below: string): string | null {
  const { pathname, searchParams } = new URL(address ?? '', 'http://app.test');
  if (!pathname.startsWith(below) || searchParams.get('token') !== 'signed') return null;
  return decodeURIComponent(pathname.slice(below.length));
}

/** Makes a signed `spec.process` trigger. Returns its id, headers and body, and the spec upload's id as `subject`. */
export function signedTrigger(
  signingSecret: string,
  appUrl: string,
  file: Uint8Array,
  {
    id = `msg_${randomUUID()}`,
    property = null,
    run = 1,
    attempt = 1,
    deadlineInMs = 60_000,
    data,
  }: TriggerChanges,
) {
  const now = new Date();
  const subject = String(data?.spec_upload_id ?? randomUUID());
  const body = JSON.stringify({
    type: 'spec.process',
    id,
    timestamp: now.toISOString(),
    attempt,
    deadline_at: new Date(now.getTime() + deadlineInMs).toISOString(),
    data: {
      spec_upload_id: subject,
      document_id: randomUUID(),
      run,
      brand: 'Acme',
      area: 'Lobby',
      property,
      file_name: 'spec.pdf',
      url: `${appUrl}/spec.pdf?token=signed`,
      size_bytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
      is_protected: false,
      ...data,
    },
    callback: {
      url: `${appUrl}/api/admin/specs/callback?run=${run}&spec_upload_id=${subject}`,
      secret_header: 'x-webhook-secret',
      fields: ['spec_upload_id', 'status', 'sections_count', 'sections', 'error', 'progress', 'note'],
    },
  });
  return { id, subject, ...signBody(signingSecret, id, now, body) };
}

/** Returns the body together with its signature headers, as the app would send them. */
export function signBody(signingSecret: string, id: string, now: Date, body: string) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(signingSecret).sign(id, now, body),
  };
  return { body, headers };
}
