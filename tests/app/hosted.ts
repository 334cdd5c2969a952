import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type HostedSupabase, hostedVariables } from '@/tests/setup/hosted-supabase';

const help = `Runs tests/app against a Supabase project, hosted or not, in place of the embedded backend.

  npm run test:hosted -- --url https://<project>.supabase.co --publishable-key sb_publishable_... \\
    --secret-key sb_secret_... --database-url postgresql://postgres:...@... [files and options of vitest]

The project must be for tests alone, and migrated: npx supabase db push --remote. The run makes accounts with a published
password there, admins among them, and deletes them at its end. Rows and files of the tests stay.
In place of the options the environment may hold ${Object.values(hostedVariables).join(', ')}.
`;

const options = {
  url: { type: 'string' },
  'publishable-key': { type: 'string' },
  'secret-key': { type: 'string' },
  'database-url': { type: 'string' },
  help: { type: 'boolean' },
} as const;
const { values, tokens } = parseArgs({ options, strict: false, allowPositionals: true, tokens: true });

// Pass all arguments that are not options of this program to vitest unchanged.
const ours = new Set<number>();
for (const token of tokens) {
  if (token.kind !== 'option' || !(token.name in options)) continue;
  ours.add(token.index);
  if (token.value !== undefined && !token.inlineValue) ours.add(token.index + 1);
}
const rest = process.argv.slice(2).filter((_, index) => !ours.has(index));

const given: Record<keyof HostedSupabase, unknown> = {
  url: values.url,
  publishableKey: values['publishable-key'],
  secretKey: values['secret-key'],
  databaseUrl: values['database-url'],
};
const env = { ...process.env };
for (const [name, value] of Object.entries(given)) {
  if (typeof value === 'string') env[hostedVariables[name as keyof HostedSupabase]] = value;
}
const missing = Object.values(hostedVariables).filter((name) => !env[name]);
if (values.help || missing.length > 0) {
  process.stdout.write(help);
  if (!values.help) process.stderr.write(`\nMissing: ${missing.join(', ')}\n`);
  process.exit(values.help ? 0 : 1);
}
const only = ['--project', 'with-app', '--exclude', 'tests/browser/**'];
const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...only, ...rest];
process.exit(spawnSync(process.execPath, vitest, { env, stdio: 'inherit' }).status ?? 1);
