import { bundlePrograms } from '@/lib/launcher/programs';

/** Bundles the programs that tests start as processes and threads. */
export default () => bundlePrograms(() => {});
