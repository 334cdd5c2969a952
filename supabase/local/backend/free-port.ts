import { createServer } from 'node:net';
import { StartFailure } from '@/supabase/local/backend/start-failure';

/** A TCP port on 127.0.0.1 that was free a moment ago; or `port` itself, if nobody listens there. */
export function freePort(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(new StartFailure(`Port ${port} is not free: ${error.message}.`)));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
