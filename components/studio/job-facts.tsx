import type { ImageJob } from '@/lib/image-gen/schema';
import classes from './conversation.module.css';

/** The options, input image and materials of a job, which apply to all its prompts. */
export function JobFacts({ job }: { job: ImageJob }) {
  const { size, seed, safety } = job.options;
  const names = job.materialPayload.flatMap(({ name, id }) => name ?? id ?? []);
  const unnamed = job.materialIds.filter((id) => !job.materialPayload.some((material) => material.id === id));
  const materials = [...names, ...unnamed];
  const facts = [
    size?.replace('x', ' × '),
    seed !== undefined && `seed ${seed}`,
    safety && `safety ${safety}`,
    (job.inputImageId ?? job.inputImagePath) && 'from an input image',
    materials.length > 0 && `with ${materials.join(', ')}`,
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  if (facts.length === 0) return null;
  return <p className={classes.facts}>{facts.join(' · ')}</p>;
}
