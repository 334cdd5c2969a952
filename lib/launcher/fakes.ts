/** A fake of an outside service, which local mode starts for URLs that are not configured. */
export type Fake = {
  key: 'workflow' | 'matlib';
  what: string;
  entry: string;
  /** Added to SUPABASE_LOCAL_PORT. */
  portOffset: number;
  /** The URL settings that it provides, each with the path of its URL. */
  serves: Record<string, string>;
  /** The setting that is set to its host and port. */
  hostSetting?: string;
};

/** Ports, default URLs and processes of all fakes. */
export const fakes: Fake[] = [
  {
    key: 'workflow',
    what: 'the fake workflow service',
    entry: 'tests/fakes/workflow/main.ts',
    portOffset: 2,
    serves: { SPEC_WORKFLOW_URL: '/spec', IMAGE_WORKFLOW_URL: '/image' },
  },
  {
    key: 'matlib',
    what: 'the fake material library',
    entry: 'tests/fakes/matlib/main.ts',
    portOffset: 3,
    serves: { MATLIB_URL: '' },
    hostSetting: 'MATLIB_ASSET_HOSTS',
  },
];

/** The fakes with at least one URL that the given settings do not have. */
export function neededFakes(given: Record<string, string | undefined>): Fake[] {
  return fakes.filter((fake) => Object.keys(fake.serves).some((name) => !given[name]));
}

/** The settings of the fakes next to the embedded backend's port. */
export function fakeSettings(localPort: number, of: Fake[] = fakes): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const { portOffset, serves, hostSetting } of of) {
    const host = `127.0.0.1:${localPort + portOffset}`;
    for (const [name, path] of Object.entries(serves)) settings[name] = `http://${host}${path}`;
    if (hostSetting) settings[hostSetting] = host;
  }
  return settings;
}
