import type { ImageTrigger } from '@/tests/fakes/workflow/image-trigger';
import type { Mode } from '@/tests/fakes/workflow/modes';

const USUAL_COUNT = 4;
const MANY = 100;
const OTHER_JOB = '00000000-0000-4000-8000-000000000000';

export type Output = {
  variant_id: string;
  path: string;
  thumb_path?: string;
  meta?: Record<string, unknown>;
};

/** Returns how many images a run draws: as many as requested, or four by default. */
export function countOf({ options }: ImageTrigger['data']): number {
  return options.count ?? USUAL_COUNT;
}

/** Returns whether a mode uploads the variant with this number. */
export function isPut(mode: Mode, number: number): boolean {
  if (mode === 'missing-object' || mode === 'no-outputs') return false;
  if (mode === 'one-bad') return number !== 3;
  // The mode `fail` stores the first two variants, so it leaves files that are never reported.
  return mode !== 'fail' || number <= 2;
}

/** Returns the outputs that a mode reports; `outputs` lists those of a successful run. */
export function reportedOutputs(mode: Mode, outputs: Output[], { data, upload }: ImageTrigger): Output[] {
  switch (mode) {
    case 'no-outputs':
      return [];
    case 'hundred-outputs':
      return Array.from({ length: MANY }, (_, index) => ({
        variant_id: variantId(data.run, index + 1),
        path: outputs[index % outputs.length]?.path ?? upload.prefix,
      }));
    case 'outside': {
      const paths = pathsOutside(upload.prefix, data.job_id);
      return outputs.map(({ variant_id, path }, index) => ({
        variant_id,
        path: paths[index]?.(path) ?? path,
      }));
    }
    default:
      return outputs;
  }
}

/** Returns an id that is unique within the job. */
export function variantId(run: number, number: number): string {
  return `r${run}-v${number}`;
}

/**
 * Returns functions that each turn a path below the prefix into one that does not stay below it. The first two
 * functions return paths that leave the prefix and then lead back below it, so these paths resolve to existing files.
 */
function pathsOutside(prefix: string, jobId: string) {
  const folder = prefix.split('/').at(-2);
  return [
    (path: string) => `${prefix}../${folder}/${path.slice(prefix.length)}`,
    (path: string) => `${prefix}%2e%2e/${folder}/${path.slice(prefix.length)}`,
    // Returns a path of another run that starts with the prefix if the prefix's trailing slash is ignored. For example,
    // a path of run 1 becomes a path of run 10.
    (path: string) => `${prefix.slice(0, -1)}0/${path.slice(prefix.length)}`,
    (path: string) => path.replace(jobId, OTHER_JOB),
  ];
}
