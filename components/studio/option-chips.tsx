'use client';

import { ActionIcon, Group, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { IconDice5, IconLock, IconLockOpen } from '@tabler/icons-react';
import { OptionChip } from './option-chip';
import { counts, type OptionDraft, type OptionErrors, sizeOf } from './option-draft';
import classes from './prompt-chips.module.css';
import { SizeChoices } from './size-choices';

type OptionChipsProps = {
  draft: OptionDraft;
  onChange: (change: Partial<OptionDraft>) => void;
  errors: OptionErrors;
  /** The label and seed of the image to refine. The user can reuse this seed. Undefined if the seed is not known. */
  seedSource?: { label: string; seed: string };
};

function randomSeed(): string {
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  return String(seed ?? 0);
}

/**
 * Shows chips for size, number of images, seed and safety level. The workflow service chooses values for empty fields.
 */
export function OptionChips({ draft, onChange, errors, seedSource }: OptionChipsProps) {
  const { size, width, height, count, seed, safety } = draft;
  const isLocked = seedSource !== undefined && seed.trim() === seedSource.seed;
  const lockLabel = seedSource && `Use the seed of image ${seedSource.label}`;
  return (
    <>
      <OptionChip
        label="Size"
        width={320}
        value={size === '' ? null : sizeOf(draft).replace('x', ' × ')}
        hasError={errors.size !== undefined}
      >
        <SizeChoices value={size} onChange={(size) => onChange({ size })} />
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
      </OptionChip>
      <OptionChip label="Images" value={count === '' ? null : count} hasError={errors.count !== undefined}>
        <NativeSelect
          label="Number of images"
          data={counts}
          value={count}
          error={errors.count}
          onChange={(event) => onChange({ count: event.currentTarget.value })}
        />
      </OptionChip>
      <OptionChip
        label="Seed"
        value={seed.trim() === '' ? null : seed.trim()}
        hasError={errors.seed !== undefined}
      >
        <Group gap={4} align="flex-end" wrap="nowrap">
          <TextInput
            label="Seed"
            placeholder="Random"
            inputMode="numeric"
            flex={1}
            value={seed}
            error={errors.seed}
            autoComplete="off"
            onChange={(event) => onChange({ seed: event.currentTarget.value })}
          />
          {seedSource && (
            <Tooltip label={lockLabel}>
              <ActionIcon
                variant={isLocked ? 'filled' : 'default'}
                size="lg"
                aria-label={lockLabel}
                aria-pressed={isLocked}
                onClick={() => onChange({ seed: isLocked ? '' : seedSource.seed })}
              >
                {isLocked ? <IconLock size={18} stroke={1.6} /> : <IconLockOpen size={18} stroke={1.6} />}
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label="Generate a random seed">
            <ActionIcon
              variant="default"
              size="lg"
              aria-label="Generate a random seed"
              onClick={() => onChange({ seed: randomSeed() })}
            >
              <IconDice5 size={18} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </OptionChip>
      <OptionChip
        label="Safety"
        value={safety.trim() === '' ? null : safety.trim()}
        hasError={errors.safety !== undefined}
      >
        <TextInput
          label="Safety level"
          placeholder="Automatic"
          value={safety}
          error={errors.safety}
          autoComplete="off"
          onChange={(event) => onChange({ safety: event.currentTarget.value })}
        />
      </OptionChip>
    </>
  );
}
