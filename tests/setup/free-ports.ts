import { createServer } from 'node:net';

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Finds six free consecutive ports: `port` for the app, the four from `localPort` on for the embedded backend and the
 * fakes, and `mailPort` for a mail server. All are below the kernel's range of ephemeral ports, so no outgoing
 * connection takes one before the services start.
 */
export async function freePorts(): Promise<{ port: number; localPort: number; mailPort: number }> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 1_200) * 10;
    const row = [0, 1, 2, 3, 4, 5].map((offset) => port + offset);
    const free = await Promise.all(row.map(isFree));
    if (free.every(Boolean)) return { port, localPort: port + 1, mailPort: port + 5 };
  }
  throw new Error('No six free ports in a row were found.');
}
