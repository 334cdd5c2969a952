/** A fake of an external service. Local mode starts it if any of the service's URLs is not configured. */
export type Fake = {
  key: 'workflow' | 'matlib';
  name: string;
  entry: string;
  /** The fake's port, relative to SUPABASE_LOCAL_PORT. */
  portOffset: number;
  /** The URL settings that the fake provides, each with the path of its URL. */
  serves: Record<string, string>;
  /** The setting that gets the fake's host and port. */
  hostSetting?: string;
};

/** The ports, URL settings and processes of all fakes. */
export const fakes: Fake[] = [
  {
    key: 'workflow',
    name: 'the fake workflow service',
    entry: 'tests/fakes/workflow/main.ts',
    portOffset: 2,
    serves: { SPEC_WORKFLOW_URL: '/spec', IMAGE_WORKFLOW_URL: '/image' },
  },
  {
    key: 'matlib',
    name: 'the fake material library',
    entry: 'tests/fakes/matlib/main.ts',
    portOffset: 3,
    serves: { MATLIB_URL: '' },
    hostSetting: 'MATLIB_ASSET_HOSTS',
  },
];

/** Returns the fakes with at least one URL that the given settings do not contain. */
export function neededFakes(settings: Record<string, string | undefined>): Fake[] {
  return fakes.filter((fake) => Object.keys(fake.serves).some((name) => !settings[name]));
}

/** Returns the settings that point to the fakes, given the embedded backend's port. */
export function fakeSettings(localPort: number, of: Fake[] = fakes): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const { portOffset, serves, hostSetting } of of) {
    const host = `127.0.0.1:${localPort + portOffset}`;
    for (const [name, path] of Object.entries(serves)) settings[name] = `http://${host}${path}`;
    if (hostSetting) settings[hostSetting] = host;
  }
  return settings;
}
