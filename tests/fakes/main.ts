import { startFakeMatlib } from './matlib/server';
import { stopWithParent } from './stop-with-parent';
import { startFakeWorkflow } from './workflow/server';

// All fakes share one process, because separate processes would spend most of their memory on Node itself.

const { env } = process;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const fakes = {
  workflow: (port: number) =>
    startFakeWorkflow({
      port,
      mode: 'ok',
      signingSecret: required('WORKFLOW_SIGNING_SECRET'),
      webhookSecret: required('WEBHOOK_SECRET'),
      imageWebhookSecret: required('IMAGE_WEBHOOK_SECRET'),
      log: say,
    }),
  matlib: (port: number) => startFakeMatlib({ port, share: Number(env.FAKE_MATLIB_SHARE ?? 1) }),
};

function required(name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}

/** Starts the fakes named in the arguments, such as `workflow=54323`, each on its own port. */
async function start() {
  const started = await Promise.all(
    process.argv.slice(2).map(async (arg) => {
      const [key, port] = arg.split('=');
      if (key !== 'workflow' && key !== 'matlib') throw new Error(`There is no fake "${key}".`);
      const fake = await fakes[key](Number(port));
      say(`fake ${key} at ${fake.url}`);
      return fake;
    }),
  );
  return {
    url: started[0]?.url,
    stop: async () => {
      await Promise.all(started.map((fake) => fake.stop()));
    },
  };
}

const starting = start();
// Call `stopWithParent` before the servers are up, so a parent that exits early does not leave this process running.
stopWithParent(starting);
const { url } = await starting;
process.send?.({ type: 'ready', url });
