import { z } from 'zod';
import type { PublicConfig } from './public.ts';
import { version } from './version.ts';

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const secret = z.string().min(32, 'must have at least 32 characters');
const perMinute = (fallback: number) => z.coerce.number().int().min(1).max(1_000_000).default(fallback);

const signingSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]+=*$/, 'must be "whsec_" followed by base64')
  .refine((value) => Buffer.from(value.slice(6), 'base64').length >= 24, 'must encode at least 24 bytes');

const serverEnvSchema = z
  .object({
    NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
    NEXT_PUBLIC_SUPABASE_URL: httpUrl,
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: z.string().min(20, 'must be the publishable key of the project'),
    SUPABASE_SECRET_KEY: z.string().min(20, 'must be the secret key of the project'),
    APP_URL: httpUrl.transform((value) => value.replace(/\/+$/, '')),
    SPEC_WORKFLOW_URL: httpUrl,
    IMAGE_WORKFLOW_URL: httpUrl,
    WEBHOOK_SECRET: secret,
    WEBHOOK_SECRET_PREVIOUS: secret.optional(),
    IMAGE_WEBHOOK_SECRET: secret,
    IMAGE_WEBHOOK_SECRET_PREVIOUS: secret.optional(),
    WORKFLOW_SIGNING_SECRET: signingSecret,
    WORKFLOW_TOKEN: z.string().min(1).optional(),
    EVENT_HOSTS: z.string().default(''),
    CRON_SECRET: secret,
    SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }).optional(),
    SMTP_FROM: z
      .string()
      .regex(/^[^\r\n]{3,320}$/, 'must be an email address, with a name or without')
      .optional(),
    CLIENT_ADDRESS_HEADER: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,63}$/i, 'must be the name of a header')
      .optional(),
    ATELIER_DATA_DIR: z.string().default('.atelier'),
    CHROMIUM_PATH: z.string().min(1).optional(),
    MATLIB_URL: httpUrl.transform((value) => value.replace(/\/+$/, '')),
    MATLIB_USER_AGENT: z
      .string()
      .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 ASCII characters')
      .optional(),
    MATLIB_SOURCE: z.enum(['polyhaven', 'sample'], 'must be polyhaven or sample').optional(),
    MATLIB_ASSET_HOSTS: z
      .string()
      .default('dl.polyhaven.org,dl.polyhaven.com,cdn.polyhaven.com,cdn.polyhaven.org'),
    RATE_LIMIT_COSTLY: perMinute(60),
    RATE_LIMIT_SEARCH: perMinute(120),
    RATE_LIMIT_OTHER: perMinute(600),
    UPLOADS_AT_ONCE: z.coerce.number().int().min(2).max(1_000).default(16),
    EXPORT_MEMORY_MB: z.coerce.number().int().min(256).max(1_000_000).default(2_048),
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.transform((value) => value.replace(/\/+$/, '')).optional(),
    OTEL_SERVICE_NAME: z.string().min(1).max(200).default('atelier'),
    /** Milliseconds that a span may wait to be exported together with others. */
    OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(100).max(3_600_000).default(5_000),
    /** Milliseconds between exports of the metrics. */
    OTEL_METRIC_EXPORT_INTERVAL: z.coerce.number().int().min(100).max(3_600_000).default(60_000),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .refine(({ SMTP_URL, SMTP_FROM }) => !SMTP_URL || SMTP_FROM, { path: ['SMTP_FROM'] })
  .transform((env) => ({
    ...env,
    MATLIB_USER_AGENT: env.MATLIB_USER_AGENT ?? `Atelier/${version} (+${env.APP_URL})`,
  }));

export type ServerEnv = z.infer<typeof serverEnvSchema>;

/**
 * Parses environment variables as settings. An empty value means "not set". Throws an `Error` whose message names the
 * missing or invalid variables, but never contains a value.
 */
export function parseServerEnv(variables: Record<string, string | undefined>): ServerEnv {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = serverEnvSchema.safeParse(present);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `  ${name} ${present[name] === undefined ? 'is missing' : issue.message}`;
    });
    throw new Error(`The configuration is incomplete:\n${lines.join('\n')}`);
  }
  return result.data;
}

let parsed: ServerEnv | undefined;

/** Returns the settings of this process, which are parsed only once. For the server only. Throws like `parseServerEnv`. */
export function serverEnv(): ServerEnv {
  // Read `process.env` as a whole, so that the build does not inline any values.
  parsed ??= parseServerEnv(process.env);
  return parsed;
}

export function publicConfig(): PublicConfig {
  const env = serverEnv();
  return {
    supabaseUrl: env.NEXT_PUBLIC_SUPABASE_URL,
    publishableKey: env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY,
  };
}
