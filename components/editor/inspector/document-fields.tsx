'use client';

import { SegmentedControl, Select, SimpleGrid, Stack, Title } from '@mantine/core';
import { documentLanguages } from '@/lib/document/document-words';
import { type CoverSettings, imageKey } from '@/lib/document/page-model';
import { orientation, pageFormat } from '@/lib/document/schema';
import { ProjectFontsFields } from '../fonts/project-fonts-fields';
import { useEditor, useEditorContext } from '../use-editor';
import { CoverImageField } from './cover-image-field';
import { ColorField, WordsField } from './fields';

/** Returns the languages to choose from, which always include the document's language. */
function languageOptions(current: string) {
  const known = { [current]: current, ...documentLanguages };
  return Object.entries(known).map(([value, label]) => ({ value, label }));
}

/** The document settings: paper, language and cover. */
export function DocumentFields({ onCoverImage }: { onCoverImage?: () => void }) {
  const { store, canEdit, projectName } = useEditorContext();
  const format = useEditor(({ document }) => document.format);
  const lies = useEditor(({ document }) => document.orientation);
  const language = useEditor(({ document }) => document.language);
  const cover = useEditor(({ document }) => document.cover);
  const change = (patch: Partial<CoverSettings>) =>
    store.dispatch({
      type: 'document-changed',
      patch: { cover: { ...cover, ...patch } },
      group: `cover ${Object.keys(patch).join()}`,
    });
  const words = (label: string, key: 'title' | 'subtitle' | 'client' | 'date', maxLength: number) => (
    <WordsField
      label={label}
      value={cover[key]}
      placeholder={key === 'title' ? projectName : undefined}
      maxLength={maxLength}
      disabled={!canEdit}
      onChange={(value) => change({ [key]: value })}
    />
  );
  return (
    <>
      <Stack gap="xs" component="section" aria-label="Document">
        <Title order={2} size="sm">
          Document
        </Title>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Paper"
          value={format}
          disabled={!canEdit}
          data={[
            { value: 'A4', label: 'A4' },
            { value: 'letter', label: 'Letter' },
          ]}
          onChange={(value) =>
            store.dispatch({ type: 'document-changed', patch: { format: pageFormat.parse(value) } })
          }
        />
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Orientation"
          value={lies}
          disabled={!canEdit}
          data={[
            { value: 'portrait', label: 'Portrait' },
            { value: 'landscape', label: 'Landscape' },
          ]}
          onChange={(value) =>
            store.dispatch({ type: 'document-changed', patch: { orientation: orientation.parse(value) } })
          }
        />
        <Select
          size="xs"
          label="Language"
          description="Screen readers speak the PDF in this language."
          value={language}
          disabled={!canEdit}
          data={languageOptions(language)}
          searchable
          allowDeselect={false}
          onChange={(value) =>
            value !== null && store.dispatch({ type: 'document-changed', patch: { language: value } })
          }
        />
      </Stack>
      <Stack gap="xs" component="section" aria-label="Cover">
        <Title order={2} size="sm">
          Cover
        </Title>
        {words('Title', 'title', 200)}
        {words('Subtitle', 'subtitle', 300)}
        {words('Client', 'client', 200)}
        {words('Date', 'date', 100)}
        <SimpleGrid cols={2} spacing="xs">
          <ColorField
            label="Background"
            value={cover.background}
            disabled={!canEdit}
            onChange={(background) => change({ background })}
          />
          <ColorField
            label="Text color"
            value={cover.color}
            disabled={!canEdit}
            onChange={(color) => change({ color })}
          />
        </SimpleGrid>
        <CoverImageField
          hasImage={imageKey(cover) !== null}
          disabled={!canEdit}
          onChoose={onCoverImage}
          onRemove={() => change({ imageId: null, path: null })}
        />
      </Stack>
      <ProjectFontsFields />
    </>
  );
}
