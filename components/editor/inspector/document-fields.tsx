'use client';

import { Select, Stack, Switch, Title } from '@mantine/core';
import { documentLanguages } from '@/lib/document/document-labels';
import type { DocumentPatch } from '../editor-action';
import { ProjectFontsFields } from '../fonts/project-fonts-fields';
import { ColorFields } from '../kit/color-fields';
import { StyleFields } from '../kit/style-fields';
import { useEditor, useEditorContext } from '../use-editor';
import { NumberField } from './fields';
import { PaperFields } from './paper-fields';

/** Returns the languages to choose from, which always include the document's language. */
function languageOptions(current: string) {
  const languages = { [current]: current, ...documentLanguages };
  return Object.entries(languages).map(([value, label]) => ({ value, label }));
}

/** The document's settings: paper, margin, language, cover, contents, styles, colors and fonts. */
export function DocumentFields() {
  const { store, canEdit } = useEditorContext();
  const margin = useEditor(({ document }) => document.margin);
  const language = useEditor(({ document }) => document.language);
  const hasCover = useEditor(({ document }) => document.includecover === true);
  const hasContents = useEditor(({ document }) => document.includeToc);
  const change = (patch: DocumentPatch, group?: string) =>
    store.dispatch({ type: 'document-changed', patch, group });
  const show = (kind: 'cover' | 'contents', isShown: boolean) => {
    change(kind === 'cover' ? { includecover: isShown } : { includeToc: isShown });
    if (isShown) {
      store.dispatch({ type: 'sheet-opened', sheet: kind === 'cover' ? { kind } : { kind, index: 0 } });
    }
  };
  return (
    <>
      <Stack gap="xs" component="section" aria-label="Document">
        <Title order={2} size="sm">
          Document
        </Title>
        <PaperFields />
        <NumberField
          label="Margin"
          unit="mm"
          min={0}
          max={100}
          value={margin ?? undefined}
          placeholder="Not set"
          disabled={!canEdit}
          onChange={(value) => change({ margin: value }, 'margin')}
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
          onChange={(value) => value !== null && change({ language: value })}
        />
        <Switch
          size="xs"
          label="Cover"
          checked={hasCover}
          disabled={!canEdit}
          onChange={(event) => show('cover', event.currentTarget.checked)}
        />
        <Switch
          size="xs"
          label="Table of contents"
          checked={hasContents}
          disabled={!canEdit}
          onChange={(event) => show('contents', event.currentTarget.checked)}
        />
      </Stack>
      <StyleFields />
      <ColorFields />
      <ProjectFontsFields />
    </>
  );
}
