import { parseArgs } from 'node:util';
import { type Mode, modeSchema, modes } from '@/tests/fakes/workflow/modes';
import { type FakeWorkflow, startFakeWorkflow } from '@/tests/fakes/workflow/server';

const LOCAL_PORT = 54321;
const PORT_OFFSET = 2;
const PORT_HINT = 'so the fake workflow service cannot start; FAKE_WORKFLOW_PORT chooses another.';

/**
 * Runs the fake workflow service as a process of its own: `--mode x`, the secrets and the port from
 * the environment. It ends on SIGTERM and SIGINT, and with the process that forked it.
 */
async function main(): Promise<void> {
  const options = readOptions();
  const starting = startFakeWorkflow({ ...options, log: say });
  // Heeded from the first moment on, so that a parent that dies early leaves no orphan behind.
  stopWithParent(starting);
  const { url } = await starting.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return giveUp(`Port ${options.port} is taken, ${PORT_HINT}`);
    return giveUp(`The fake workflow service cannot listen on port ${options.port}: ${error.message}`);
  });
  say(`fake workflow service at ${url}`);
  process.send?.({ type: 'ready', url });
}

function readOptions() {
  const { env } = process;
  return {
    port: Number(env.FAKE_WORKFLOW_PORT ?? Number(env.SUPABASE_LOCAL_PORT ?? LOCAL_PORT) + PORT_OFFSET),
    signingSecret: required('WORKFLOW_SIGNING_SECRET'),
    webhookSecret: required('WEBHOOK_SECRET'),
    imageWebhookSecret: required('IMAGE_WEBHOOK_SECRET'),
    mode: readMode(),
  };
}

function readMode(): Mode {
  const { values } = parseArgs({ options: { mode: { type: 'string', default: 'ok' } } });
  const mode = modeSchema.safeParse(values.mode);
  return mode.success
    ? mode.data
    : giveUp(`There is no mode "${values.mode}"; there are ${modes.join(', ')}.`);
}

function required(name: string): string {
  return process.env[name] || giveUp(`${name} is not set; the fake workflow service needs it.`);
}

function stopWithParent(starting: Promise<FakeWorkflow>): void {
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function giveUp(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

await main();
