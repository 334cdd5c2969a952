'use client';

import { Stack, Title } from '@mantine/core';
import { documentLabels } from '@/lib/document/document-labels';
import type { ContentsSettings } from '@/lib/document/page-model';
import { withoutUndefined } from '@/lib/document/without-undefined';
import { FontSelect } from '../fonts/font-select';
import { useEditor, useEditorContext } from '../use-editor';
import { ColorField, LineField } from './fields';
import { MasterChoice } from './master-choice';

/** The settings of the table of contents. */
export function ContentsFields() {
  const { store, canEdit } = useEditorContext();
  const contents = useEditor(({ document }) => document.contents);
  const language = useEditor(({ document }) => document.language);
  const change = (patch: Partial<ContentsSettings>) =>
    store.dispatch({
      type: 'document-changed',
      patch: { contents: withoutUndefined({ ...contents, ...patch }) },
      group: `contents ${Object.keys(patch).join()}`,
    });
  const disabled = !canEdit;
  return (
    <Stack gap="xs" component="section" aria-label="Table of contents">
      <Title order={2} size="sm">
        Table of contents
      </Title>
      <LineField
        label="Heading"
        value={contents.title}
        placeholder={documentLabels(language).contents}
        maxLength={200}
        disabled={disabled}
        onChange={(title) => change({ title })}
      />
      <FontSelect
        label="Font"
        value={contents.font}
        disabled={disabled}
        onChange={(font) => change({ font })}
      />
      <ColorField
        label="Text color"
        value={contents.color}
        colorId={contents.colorId}
        disabled={disabled}
        onChange={(color, colorId) => change({ color, colorId })}
      />
      <MasterChoice value={contents.masterId} user="contents" onChange={(masterId) => change({ masterId })} />
    </Stack>
  );
}
