import { createServer } from 'node:net';
import { StartError } from '@/lib/errors/start-error';

/**
 * Returns `port` if that TCP port is free on 127.0.0.1, or any free port if `port` is 0. Throws StartError if the port
 * cannot be used.
 */
export function freePort(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(new StartError(`Port ${port} is not free: ${error.message}.`)));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
