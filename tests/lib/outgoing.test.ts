import { globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchFromOrigins } from '@/lib/http/fetch-from-origins';

/**
 * The TypeScript files in `app`, `lib`, `hooks`, `components` and the root folder that match `opening`, each with what
 * it connects to or why it does not connect.
 */
const connections: Record<string, string> = {
  'app/server.ts': 'does not connect: it responds to incoming requests',
  'components/specs/reader/open-pdf.ts': 'in the browser, limited by its policy',
  'hooks/image-gen/image-gen-calls.ts': 'in the browser, limited by its policy',
  'lib/http/client.ts': 'in the browser, to our own routes',
  'lib/http/fetch-from-origins.ts': 'to the given origins, which are settings',
  'lib/http/post-outside.ts':
    'to event endpoints: a public address, checked when connecting, or a host in EVENT_HOSTS',
  'lib/http/upload.ts': 'in the browser, to our own routes',
  'lib/launcher/children.ts': 'to the health check of the app that it has started, on this machine',
  'lib/people/send-mail.ts': 'to SMTP_URL',
  'lib/process/lock.ts': 'does not connect: it listens at an abstract socket',
  'lib/launcher/ports.ts':
    'does not connect: it listens at ports of this machine to see whether they are free',
  'lib/launcher/respond-unavailable.ts': 'does not connect: it responds to incoming requests',
  'lib/launcher/unavailable-page.ts': 'in the browser, to our own health check',
  'lib/workflow/send-trigger.ts':
    'to SPEC_WORKFLOW_URL and IMAGE_WORKFLOW_URL; a redirect counts as a failure',
  'lib/supabase/fetch-with-timeout.ts': 'to NEXT_PUBLIC_SUPABASE_URL; no redirects',
};

const opening =
  /(?<![.\w])fetch\(|globalThis\.fetch|new (WebSocket|EventSource|XMLHttpRequest|Socket)\b|sendBeacon|\b(https?|net|tls|http2)\.(request|get|connect|createConnection)\(|from '(undici|axios|nodemailer|node:(https?|net|tls|http2|dgram))'/;

test('no other file of the product opens a connection', () => {
  const files = globSync(['{app,lib,hooks,components}/**/*.{ts,tsx}', '*.ts']);
  expect(files.length).toBeGreaterThan(200);
  const found = files.filter((file) => {
    // Imports of types and of BlockList open no connection.
    const opensNothing = /^import (type .*|\{ BlockList \} from 'node:net');$/gm;
    return opening.test(readFileSync(file, 'utf8').replaceAll(opensNothing, ''));
  });
  expect(found.sort()).toEqual(Object.keys(connections).sort());
});

test.each([
  "await fetch('https://x')",
  'const go = fetch(url)',
  "import { request } from 'node:https'",
  "new WebSocket('wss://x')",
  "import nodemailer from 'nodemailer'",
])('the search for connections finds %s', (line) => {
  expect(line).toMatch(opening);
});

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: `${origin}/here` }).end();
    else response.end('here');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

test('fetchFromOrigins requests a URL from a response only at the given origins', async () => {
  expect(await (await fetchFromOrigins([origin], `${origin}/here`)).text()).toBe('here');
  const { port } = new URL(origin);
  for (const address of [
    `http://localhost:${port}/here`,
    `http://127.1:${port}0/here`,
    `http://user@127.0.0.1:${port}/here`,
    `https://127.0.0.1:${port}/here`,
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    '//elsewhere.example/',
    '',
  ]) {
    await expect(fetchFromOrigins([origin], address), address).rejects.toThrow('not at an allowed origin');
  }
});

test('fetchFromOrigins follows no redirect, wherever it leads', async () => {
  await expect(fetchFromOrigins([origin], `${origin}/away`)).rejects.toThrow(TypeError);
});
