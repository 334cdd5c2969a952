'use client';

import { Button, Group, SimpleGrid, Text, Textarea } from '@mantine/core';
import { type ImageElement, imageKey } from '@/lib/document/page-model';
import { useEditorDispatch } from '../use-editor';
import { ChoiceField } from './choice-field';
import { NumberField } from './fields';
import { useElementFields } from './use-element-fields';

type Crop = NonNullable<ImageElement['crop']>;
const fits = { cover: 'Fill frame', contain: 'Fit inside' } as const;
const whole: Crop = { x: 0, y: 0, w: 1, h: 1 };
const percent = (part: number) => Math.round(part * 10_000) / 100;

/** Applies a change to a crop and keeps it within the image; null means the whole image. */
export function changedCrop(crop: Crop | null, change: Partial<Crop>): Crop | null {
  const next = { ...(crop ?? whole), ...change };
  const x = Math.min(next.x, 0.99);
  const y = Math.min(next.y, 0.99);
  const w = Math.max(0.01, Math.min(next.w, 1 - x));
  const h = Math.max(0.01, Math.min(next.h, 1 - y));
  return x === 0 && y === 0 && w === 1 && h === 1 ? null : { x, y, w, h };
}

/**
 * Fields for the fit, crop and alt text of images, and a button that chooses or replaces the image of a single frame.
 */
export function ImageFields({
  elements,
  onReplace,
}: {
  elements: readonly ImageElement[];
  onReplace?: () => void;
}) {
  const { value, change, disabled } = useElementFields(elements);
  const dispatch = useEditorDispatch();
  const crop = value('crop');
  const part = (label: string, key: keyof Crop, min: number) => (
    <NumberField
      label={label}
      value={crop === undefined ? undefined : percent((crop ?? whole)[key])}
      min={min}
      max={100}
      unit="%"
      disabled={disabled}
      onChange={(next) => change({ crop: changedCrop(crop ?? null, { [key]: next / 100 }) })}
    />
  );
  const empty = elements.every((element) => imageKey(element) === null);
  return (
    <>
      {onReplace && elements.length === 1 && (
        <Button size="xs" variant="default" disabled={disabled} onClick={onReplace}>
          {empty ? 'Choose image' : 'Replace image'}
        </Button>
      )}
      <ChoiceField
        label="Fit"
        choices={fits}
        value={value('fit')}
        disabled={disabled}
        onChange={(fit) => change({ fit })}
      />
      <SimpleGrid cols={2} spacing="xs">
        {part('Crop from left', 'x', 0)}
        {part('Crop from top', 'y', 0)}
        {part('Crop width', 'w', 1)}
        {part('Crop height', 'h', 1)}
      </SimpleGrid>
      {crop && (
        <Group>
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={disabled}
            onClick={() => change({ crop: null })}
          >
            Reset crop
          </Button>
        </Group>
      )}
      <Textarea
        size="xs"
        label="Description"
        description="Alternative text for screen readers"
        autosize
        minRows={2}
        maxRows={5}
        maxLength={500}
        value={value('alt') ?? ''}
        disabled={disabled}
        onChange={(event) => change({ alt: event.currentTarget.value.replace(/[\r\n\t]+/g, ' ') })}
        onBlur={() => dispatch({ type: 'settled' })}
      />
      {!disabled && elements.length === 1 && !empty && value('alt') === '' && (
        <Text size="xs" c="dimmed">
          Without a description, screen readers skip the image.
        </Text>
      )}
    </>
  );
}
