import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { expect, onTestFinished, test } from 'vitest';
import { fetchWithTimeout } from '@/lib/supabase/fetch-with-timeout';

test('a read that times out is not tried again', async () => {
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const client = createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: fetchWithTimeout(200) },
  });
  const { error } = await client.from('brands').select();
  expect(error?.message).toContain('No response after 200 ms.');
  expect(requests).toBe(1);
});
