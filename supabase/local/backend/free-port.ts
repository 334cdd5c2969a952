import { createServer } from 'node:net';
import { StartFailure } from '@/supabase/local/backend/start-failure';

/** Returns a free TCP port on 127.0.0.1, or `port` itself if it is free. Throws StartFailure if it is not. */
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
