'use client';

import { SimpleGrid, Stack, Switch, Title } from '@mantine/core';
import { type CoverSettings, imageKey } from '@/lib/document/page-model';
import { withoutUndefined } from '@/lib/document/without-undefined';
import { FontSelect } from '../fonts/font-select';
import { useEditor, useEditorContext } from '../use-editor';
import { ChoiceField, horizontalAlignments, verticalAlignments } from './choice-field';
import { CoverImageField } from './cover-image-field';
import { ColorField, LineField, NumberField } from './fields';
import { MasterChoice } from './master-choice';

const layouts = { top: 'Above text', left: 'Left of text', full: 'Full page' } as const;
/** The title size in points that is set when the automatic size is turned off. */
const STANDARD_TITLE_SIZE = 34;

/** The settings of the cover: its texts, colors, image, layout, font and master. */
export function CoverFields({ onCoverImage }: { onCoverImage?: () => void }) {
  const { store, canEdit, projectName } = useEditorContext();
  const cover = useEditor(({ document }) => document.cover);
  const disabled = !canEdit;
  const change = (patch: Partial<CoverSettings>) =>
    store.dispatch({
      type: 'document-changed',
      patch: { cover: withoutUndefined({ ...cover, ...patch }) },
      group: `cover ${Object.keys(patch).join()}`,
    });
  const field = <Key extends keyof CoverSettings>(key: Key) => ({
    value: cover[key],
    disabled,
    onChange: (value: CoverSettings[Key]) => change({ [key]: value }),
  });
  const textField = (label: string, key: 'title' | 'subtitle' | 'client' | 'date', maxLength: number) => (
    <LineField
      label={label}
      placeholder={key === 'title' ? projectName : undefined}
      maxLength={maxLength}
      {...field(key)}
    />
  );
  const hasImage = imageKey(cover) !== null;
  return (
    <Stack gap="xs" component="section" aria-label="Cover">
      <Title order={2} size="sm">
        Cover
      </Title>
      {textField('Title', 'title', 200)}
      {textField('Subtitle', 'subtitle', 300)}
      {textField('Client', 'client', 200)}
      {textField('Date', 'date', 100)}
      <SimpleGrid cols={2} spacing="xs">
        <ColorField
          label="Background"
          value={cover.background}
          colorId={cover.backgroundId}
          disabled={disabled}
          onChange={(background, backgroundId) => change({ background, backgroundId })}
        />
        <ColorField
          label="Text color"
          value={cover.color}
          colorId={cover.colorId}
          disabled={disabled}
          onChange={(color, colorId) => change({ color, colorId })}
        />
      </SimpleGrid>
      <CoverImageField
        hasImage={hasImage}
        disabled={disabled}
        onChoose={onCoverImage}
        onRemove={() => change({ imageId: null, path: null })}
      />
      {hasImage && <ChoiceField label="Image position" choices={layouts} {...field('layout')} />}
      <FontSelect label="Font" {...field('font')} />
      <Switch
        size="xs"
        label="Fit title size to the cover"
        checked={cover.titleSize === null}
        disabled={disabled}
        onChange={({ currentTarget }) =>
          change({ titleSize: currentTarget.checked ? null : STANDARD_TITLE_SIZE })
        }
      />
      {cover.titleSize !== null && (
        <NumberField
          label="Title size"
          unit="pt"
          min={8}
          max={200}
          {...field('titleSize')}
          value={cover.titleSize}
        />
      )}
      <ChoiceField label="Alignment" choices={horizontalAlignments} {...field('align')} />
      <ChoiceField label="Vertical alignment" choices={verticalAlignments} {...field('valign')} />
      <MasterChoice value={cover.masterId} user="cover" onChange={(masterId) => change({ masterId })} />
    </Stack>
  );
}
