import { parseArgs } from 'node:util';
import { stopWithParent } from '@/tests/fakes/stop-with-parent';
import { type Mode, modeDescriptions, modeSchema, modes } from '@/tests/fakes/workflow/modes';
import { startFakeWorkflow } from '@/tests/fakes/workflow/server';

const LOCAL_PORT = 54321;
const PORT_OFFSET = 2;
const PORT_HINT = 'so the fake workflow service cannot start; --port or FAKE_WORKFLOW_PORT chooses another.';

const help = `The fake workflow service, with the misbehaviour of your choice.

  npm run workflow:fake -- --mode <mode> [--port <port>] [--delay <ms>]

It takes its secrets from the environment or .atelier/env, which npm start writes. Use it beside
  SPEC_WORKFLOW_URL=http://127.0.0.1:<port>/spec IMAGE_WORKFLOW_URL=http://127.0.0.1:<port>/image npm start

Modes:
${modes.map((mode) => `  ${mode.padEnd(17)}${modeDescriptions[mode]}`).join('\n')}
`;

/**
 * Runs the fake workflow service as a separate process, with the secrets from the environment and the options that
 * `--help` lists. The process exits on SIGTERM and SIGINT, and when the process that forked it exits.
 */
async function main(): Promise<void> {
  const options = readOptions();
  const starting = startFakeWorkflow({ ...options, log: say });
  // Call `stopWithParent` before the server is up, so a parent that exits early does not leave this process running.
  stopWithParent(starting);
  const { url } = await starting.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return giveUp(`Port ${options.port} is taken, ${PORT_HINT}`);
    return giveUp(`The fake workflow service cannot listen on port ${options.port}: ${error.message}`);
  });
  say(`fake workflow service at ${url}, mode ${options.mode}`);
  process.send?.({ type: 'ready', url });
}

function readOptions() {
  const given = readArguments();
  if (given.help) {
    process.stdout.write(help);
    process.exit(0);
  }
  const { env } = process;
  const usual = env.FAKE_WORKFLOW_PORT ?? Number(env.SUPABASE_LOCAL_PORT ?? LOCAL_PORT) + PORT_OFFSET;
  return {
    port: wholeNumber('--port', String(given.port ?? usual), 65_535),
    delayMs: given.delay === undefined ? undefined : wholeNumber('--delay', given.delay, 3_600_000),
    mode: readMode(given.mode),
    signingSecret: required('WORKFLOW_SIGNING_SECRET'),
    webhookSecret: required('WEBHOOK_SECRET'),
    imageWebhookSecret: required('IMAGE_WEBHOOK_SECRET'),
  };
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        mode: { type: 'string', default: 'ok' },
        port: { type: 'string' },
        delay: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    return giveUp(`${reason} --help tells what there is.`);
  }
}

function wholeNumber(name: string, text: string, max: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= max) return Number(text);
  return giveUp(`${name} must be a whole number up to ${max}, not "${text}".`);
}

function readMode(name: string): Mode {
  const mode = modeSchema.safeParse(name);
  return mode.success ? mode.data : giveUp(`There is no mode "${name}"; there are ${modes.join(', ')}.`);
}

function required(name: string): string {
  return (
    process.env[name] ||
    giveUp(`${name} is not set; the fake workflow service needs it. npm start writes it to .atelier/env.`)
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function giveUp(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

await main();
