import { countOf } from '@/components/format/count';
import type { ImageJob } from '@/lib/image-gen/schema';
import classes from './conversation.module.css';
import { materialName, materialsOf } from './prompt-materials';

/** Lists the options, input image and materials that a job was started with. Shown while the job has no images. */
export function JobFacts({ job }: { job: ImageJob }) {
  const { size, seed, safety, count } = job.options;
  const materials = materialsOf(job).map(materialName);
  const facts = [
    size?.replace('x', ' × '),
    seed !== undefined && `seed ${seed}`,
    count !== undefined && countOf(count, 'image'),
    safety && `safety ${safety}`,
    (job.inputImageId ?? job.inputImagePath) && 'from an input image',
    materials.length > 0 && `with ${materials.join(', ')}`,
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  if (facts.length === 0) return null;
  return <p className={classes.facts}>{facts.join(' · ')}</p>;
}
