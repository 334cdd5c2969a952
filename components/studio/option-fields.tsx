'use client';

import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { type DraftErrors, type JobDraft, sizePresets } from './job-draft';
import classes from './new-job-form.module.css';

type OptionFieldsProps = {
  draft: JobDraft;
  onChange: (change: Partial<JobDraft>) => void;
  errors: DraftErrors;
};

function randomSeed(): string {
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  return String(seed ?? 0);
}

/** Fields for size, seed and safety level. The workflow service chooses the values of empty fields. */
export function OptionFields({ draft, onChange, errors }: OptionFieldsProps) {
  const { size, width, height, seed, safety } = draft;
  return (
    <div className={classes.options}>
      <div>
        <NativeSelect
          label="Size"
          data={sizePresets}
          value={size}
          error={size === 'custom' ? undefined : errors.size}
          onChange={(event) => onChange({ size: event.currentTarget.value })}
        />
        {size === 'custom' && (
          <div className={classes.custom}>
            <TextInput
              label="Width"
              inputMode="numeric"
              value={width}
              error={errors.size}
              onChange={(event) => onChange({ width: event.currentTarget.value })}
            />
            <TextInput
              label="Height"
              inputMode="numeric"
              value={height}
              error={errors.size && ' '}
              onChange={(event) => onChange({ height: event.currentTarget.value })}
            />
          </div>
        )}
      </div>
      <TextInput
        label="Seed"
        placeholder="Random"
        inputMode="numeric"
        value={seed}
        error={errors.seed}
        autoComplete="off"
        onChange={(event) => onChange({ seed: event.currentTarget.value })}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Generate a random seed"
            onClick={() => onChange({ seed: randomSeed() })}
          >
            <IconDice5 size={18} stroke={1.6} />
          </ActionIcon>
        }
      />
      <TextInput
        label="Safety level"
        placeholder="Automatic"
        value={safety}
        error={errors.safety}
        autoComplete="off"
        onChange={(event) => onChange({ safety: event.currentTarget.value })}
      />
    </div>
  );
}
