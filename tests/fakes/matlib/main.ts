import { parseArgs } from 'node:util';
import { type FakeMatlib, startFakeMatlib } from '@/tests/fakes/matlib/server';
import { type Mode, modes } from '@/tests/fakes/matlib/state';

const LOCAL_PORT = 54321;
const PORT_OFFSET = 3;
const PORT_HINT = 'so the fake material library cannot start; FAKE_MATLIB_PORT chooses another.';

/**
 * Runs the fake material library as a separate process. `--mode x` sets its mode, the environment its port. It exits on
 * SIGTERM and SIGINT, and when the process that forked it exits.
 */
async function main(): Promise<void> {
  const { env } = process;
  const port = Number(env.FAKE_MATLIB_PORT ?? Number(env.SUPABASE_LOCAL_PORT ?? LOCAL_PORT) + PORT_OFFSET);
  const starting = startFakeMatlib({ port, mode: readMode() });
  // Register this before the server is up, so a parent that exits early leaves no orphan.
  stopWithParent(starting);
  const { url } = await starting.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return giveUp(`Port ${port} is taken, ${PORT_HINT}`);
    return giveUp(`The fake material library cannot listen on port ${port}: ${error.message}`);
  });
  process.stdout.write(`fake material library at ${url}\n`);
  process.send?.({ type: 'ready', url });
}

function readMode(): Mode {
  const { values } = parseArgs({ options: { mode: { type: 'string', default: 'ok' } } });
  const mode = modes.find((known) => known === values.mode);
  return mode ?? giveUp(`There is no mode "${values.mode}"; there are ${modes.join(', ')}.`);
}

function stopWithParent(starting: Promise<FakeMatlib>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await starting.then((fake) => fake.stop());
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
}

function giveUp(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

await main();
