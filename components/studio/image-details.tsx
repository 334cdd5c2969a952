'use client';

import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Thumbnail } from '@/components/materials/thumbnail';
import { MadeBy } from '@/components/people/made-by';
import type { ImageJob } from '@/lib/image-gen/schema';
import { ImageActions } from './image-actions';
import classes from './image-details.module.css';
import { materialName, materialsOf } from './prompt-materials';
import { chainOf, type Run, runOf, type ShownVariant, seedOf } from './runs';
import type { VariantActions } from './variant-grid';
import { VariantImage } from './variant-image';

type ImageDetailsProps = {
  job: ImageJob;
  shown: ShownVariant;
  runs: Run[];
  actions: VariantActions;
};

/** Names the image in which a prompt changes a region. */
function maskedImage({ source, hasSource }: Run): string {
  if (source) return source.label;
  return hasSource ? 'an image that is not shown' : 'the input image';
}

/**
 * Shows facts about an image, such as its materials and seed, and the actions on it. Also shows the images that it was
 * refined from. Clicking one of these calls `actions.show`.
 */
export function ImageDetails({ job, shown, runs, actions }: ImageDetailsProps) {
  const { show, onStale } = actions;
  const run = runOf(shown, runs);
  const { variant, label } = shown;
  const chain = chainOf(shown, runs);
  const materials = run ? materialsOf(run.settings) : [];
  const seed = seedOf(shown) ?? run?.settings.options.seed;
  const facts = [
    `${variant.width} × ${variant.height}`,
    seed !== undefined && `seed ${seed}`,
    run?.settings.options.safety && `safety ${run.settings.options.safety}`,
    (job.inputImageId ?? job.inputImagePath) && 'from an input image',
    run?.hasMask && `region of ${maskedImage(run)}`,
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  return (
    <section className={classes.details} aria-label={`Details of image ${label}`}>
      <Text size="sm" fw={600}>
        Image {label}
      </Text>
      {run && (run.ordinal > 1 || job.name) && <p className={classes.prompt}>{run.prompt}</p>}
      <p className={classes.facts}>{facts.join(' · ')}</p>
      <p className={classes.facts}>
        <MadeBy projectId={job.projectId} userId={shown.createdBy} iso={variant.created_at} />
      </p>
      {materials.length > 0 && (
        <ul className={classes.materials} aria-label={`Materials of image ${label}`}>
          {materials.map((material, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two materials can be the same.
            <li key={index}>
              <Thumbnail src={material.imageUrl ?? ''} className={classes.swatch} />
              {materialName(material)}
            </li>
          ))}
        </ul>
      )}
      {chain.length > 1 && (
        <ol className={classes.chain} aria-label={`From the first image to ${label}`}>
          {chain.map((each, index) => (
            <Fragment key={each.key}>
              {index > 0 && (
                <li aria-hidden="true">
                  <IconChevronRight size={14} />
                </li>
              )}
              <li>
                <UnstyledButton
                  className={classes.link}
                  aria-label={`Show image ${each.label} in the conversation`}
                  aria-current={each === shown || undefined}
                  onClick={() => show(each)}
                >
                  <VariantImage variant={each.variant} alt="" onStale={onStale} />
                  {each.label}
                </UnstyledButton>
              </li>
            </Fragment>
          ))}
        </ol>
      )}
      <ImageActions shown={shown} actions={actions} />
    </section>
  );
}
