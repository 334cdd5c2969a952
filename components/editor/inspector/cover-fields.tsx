'use client';

import { SimpleGrid, Stack, Title } from '@mantine/core';
import { type CoverSettings, imageKey } from '@/lib/document/page-model';
import { withoutUndefined } from '@/lib/document/without-undefined';
import { useEditor, useEditorContext } from '../use-editor';
import { CoverImageField } from './cover-image-field';
import { ColorField, LineField } from './fields';

/** The settings of the cover. */
export function CoverFields({ onCoverImage }: { onCoverImage?: () => void }) {
  const { store, canEdit, projectName } = useEditorContext();
  const cover = useEditor(({ document }) => document.cover);
  const change = (patch: Partial<CoverSettings>) =>
    store.dispatch({
      type: 'document-changed',
      patch: { cover: withoutUndefined({ ...cover, ...patch }) },
      group: `cover ${Object.keys(patch).join()}`,
    });
  const textField = (label: string, key: 'title' | 'subtitle' | 'client' | 'date', maxLength: number) => (
    <LineField
      label={label}
      value={cover[key]}
      placeholder={key === 'title' ? projectName : undefined}
      maxLength={maxLength}
      disabled={!canEdit}
      onChange={(value) => change({ [key]: value })}
    />
  );
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
          disabled={!canEdit}
          onChange={(background, backgroundId) => change({ background, backgroundId })}
        />
        <ColorField
          label="Text color"
          value={cover.color}
          colorId={cover.colorId}
          disabled={!canEdit}
          onChange={(color, colorId) => change({ color, colorId })}
        />
      </SimpleGrid>
      <CoverImageField
        hasImage={imageKey(cover) !== null}
        disabled={!canEdit}
        onChoose={onCoverImage}
        onRemove={() => change({ imageId: null, path: null })}
      />
    </Stack>
  );
}
