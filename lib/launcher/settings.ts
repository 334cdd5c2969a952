import { randomBytes } from 'node:crypto';
import { fakeSettings, neededFakes } from './fakes.ts';

export type Settings = Record<string, string>;

const generated: Record<string, () => string> = {
  NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: () => `sb_publishable_${secret()}`,
  SUPABASE_SECRET_KEY: () => `sb_secret_${secret()}`,
  WEBHOOK_SECRET: secret,
  IMAGE_WEBHOOK_SECRET: secret,
  WORKFLOW_SIGNING_SECRET: () => `whsec_${randomBytes(32).toString('base64')}`,
  WORKFLOW_TOKEN: secret,
  CRON_SECRET: secret,
};

const optional = [
  'WEBHOOK_SECRET_PREVIOUS',
  'IMAGE_WEBHOOK_SECRET_PREVIOUS',
  'EVENT_HOSTS',
  'SMTP_URL',
  'SMTP_FROM',
  'CLIENT_ADDRESS_HEADER',
  'MATLIB_URL',
  'MATLIB_SOURCE',
  'MATLIB_USER_AGENT',
  'MATLIB_ASSET_HOSTS',
  'CHROMIUM_PATH',
];

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns whether to start the embedded backend. The result is true if the settings have no Supabase URL. It is also
 * true if their Supabase URL and secret key are those of this data folder's own backend, which happens when the user
 * has sourced the folder's `env` file.
 */
export function isLocalMode(settings: Partial<Settings>, saved: Settings): boolean {
  const url = settings.NEXT_PUBLIC_SUPABASE_URL;
  if (!url) return true;
  return url === saved.NEXT_PUBLIC_SUPABASE_URL && settings.SUPABASE_SECRET_KEY === saved.SUPABASE_SECRET_KEY;
}

/**
 * Returns the settings without the values that the last run chose for `APP_URL` and for the settings of the fakes. Such
 * a value comes from sourcing the saved `env` file, and may not match the ports of this run.
 */
export function chosenSettings(settings: Settings, saved: Settings): Settings {
  const automatic: Settings = {
    APP_URL: `http://127.0.0.1:${saved.PORT}`,
    ...fakeSettings(Number(saved.SUPABASE_LOCAL_PORT)),
  };
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== automatic[name]));
}

/**
 * Returns the generated settings to save. If a setting is overridden for this run, the result contains its earlier
 * generated value, if any, instead of the override.
 */
export function generatedOf(options: {
  chosen: Partial<Settings>;
  settings: Settings;
  generated: Settings;
}): Settings {
  const { chosen, settings, generated: before } = options;
  const lasting = Object.keys(generated).flatMap((name) => {
    const value = chosen[name] ? before[name] : settings[name];
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(lasting);
}

/**
 * Returns the settings to save in `env`. Includes a setting only if it has the value from `automatic`. Leaves out
 * overrides, because a saved override would apply to every later run that sources the file.
 */
export function lastingSettings(settings: Settings, automatic: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => value === automatic[name]));
}

/** Returns the settings that were given for this run, which are those that `lastingSettings` leaves out. */
export function overridesIn(settings: Settings, automatic: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== automatic[name]));
}

/**
 * Returns the settings that local mode needs. Settings in `chosen` take precedence, except for the Supabase URL, the
 * ports and the data folder. Secrets that are not in `chosen` come from `saved` or are generated. URLs that are not in
 * `chosen` use the ports of this run.
 */
export function localSettings(options: {
  chosen: Partial<Settings>;
  saved: Settings;
  dataDir: string;
  port: number;
  localPort: number;
}): Settings {
  const { chosen, saved, dataDir, port, localPort } = options;
  const settings: Settings = {
    PORT: String(port),
    ATELIER_DATA_DIR: dataDir,
    SUPABASE_LOCAL_PORT: String(localPort),
    APP_URL: chosen.APP_URL || `http://127.0.0.1:${port}`,
    NEXT_PUBLIC_SUPABASE_URL: `http://127.0.0.1:${localPort}`,
  };
  for (const [name, make] of Object.entries(generated)) {
    settings[name] = chosen[name] || saved[name] || make();
  }
  Object.assign(settings, fakeSettings(localPort, neededFakes(chosen)));
  for (const name of ['SPEC_WORKFLOW_URL', 'IMAGE_WORKFLOW_URL', ...optional]) {
    const value = chosen[name];
    if (value) settings[name] = value;
  }
  return settings;
}
