/** A fake of an external service. Local mode starts it if any of the service's URLs is not configured. */
export type Fake = {
  key: 'workflow' | 'matlib';
  name: string;
  /** The fake's port, relative to SUPABASE_LOCAL_PORT. */
  portOffset: number;
  /** Maps each URL setting that the fake provides to the URL's path on the fake. */
  serves: Record<string, string>;
  /** The name of the setting that receives the fake's host and port. */
  hostSetting?: string;
};

/** The ports and URL settings of all fakes. */
export const fakes: Fake[] = [
  {
    key: 'workflow',
    name: 'the fake workflow service',
    portOffset: 2,
    serves: { SPEC_WORKFLOW_URL: '/spec', IMAGE_WORKFLOW_URL: '/image' },
  },
  {
    key: 'matlib',
    name: 'the fake material library',
    portOffset: 3,
    serves: { MATLIB_URL: '' },
    hostSetting: 'MATLIB_ASSET_HOSTS',
  },
];

/** The name of the process that runs the fakes. */
export const FAKES = 'the process of the fake services';

/** Returns the arguments for the process that runs these fakes, given the embedded backend's port. */
export function fakesPorts(localPort: number, of: Fake[]): string[] {
  return of.map(({ key, portOffset }) => `${key}=${localPort + portOffset}`);
}

/** Returns the fakes for which the settings lack at least one URL. */
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
