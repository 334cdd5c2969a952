import { createServer } from 'node:net';

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Returns a port for the app and four ports in a row after it for the embedded backend and the fakes, all
 * free at the moment. They are below the kernel's range of ephemeral ports, so that no outgoing connection
 * takes one in between.
 */
export async function freePorts(): Promise<{ port: number; localPort: number }> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 1_200) * 10;
    const row = [0, 1, 2, 3, 4].map((offset) => port + offset);
    const free = await Promise.all(row.map(isFree));
    if (free.every(Boolean)) return { port, localPort: port + 1 };
  }
  throw new Error('No five free ports in a row were found.');
}
