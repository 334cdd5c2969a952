/** A service of the outside world that local mode plays itself for whatever address is not configured. */
export type StandIn = {
  key: 'workflow' | 'matlib';
  what: string;
  entry: string;
  /** Its port, counted from SUPABASE_LOCAL_PORT. */
  portOffset: number;
  /** Which settings it answers for, each with the path of its address. */
  serves: Record<string, string>;
  /** The setting that gets its host and port. */
  hostSetting?: string;
};

/** One line per outside service: its ports, default addresses and process all follow from here. */
export const standIns: StandIn[] = [
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

/** The stand-ins that are needed: those with at least one address that the given settings lack. */
export function neededStandIns(given: Record<string, string | undefined>): StandIn[] {
  return standIns.filter((standIn) => Object.keys(standIn.serves).some((name) => !given[name]));
}
