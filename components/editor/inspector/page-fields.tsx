'use client';

import { Stack, Switch, Title } from '@mantine/core';
import type { PageData } from '@/lib/document/page-model';
import type { PagePatch } from '../change-pages';
import { useEditorContext } from '../use-editor';
import { ColorField, LineField } from './fields';
import { GuideFields } from './guide-fields';
import { MasterChoice } from './master-choice';

export function PageFields({ page, number }: { page: PageData; number: number }) {
  const { store, canEdit } = useEditorContext();
  const change = (patch: PagePatch) =>
    store.dispatch({
      type: 'page-changed',
      pageId: page.id,
      patch,
      group: `page ${page.id} ${Object.keys(patch).join()}`,
    });
  return (
    <Stack gap="xs" component="section" aria-label={`Page ${number}`}>
      <Title order={2} size="sm">
        Page {number}
      </Title>
      <LineField
        label="Title"
        value={page.title}
        placeholder={`Page ${number}`}
        maxLength={200}
        disabled={!canEdit}
        onChange={(title) => change({ title })}
      />
      <ColorField
        label="Background"
        value={page.background}
        colorId={page.backgroundId}
        disabled={!canEdit}
        onChange={(background, backgroundId) => change({ background, backgroundId })}
      />
      <MasterChoice
        value={page.masterId}
        user={{ pageId: page.id }}
        onChange={(masterId) => change({ masterId })}
      />
      <Switch
        size="xs"
        label="Show in table of contents"
        checked={page.inToc}
        disabled={!canEdit}
        onChange={(event) => change({ inToc: event.currentTarget.checked })}
      />
      <Switch
        size="xs"
        label="Title and page number in footer"
        checked={page.footer}
        disabled={!canEdit}
        onChange={(event) => change({ footer: event.currentTarget.checked })}
      />
      <GuideFields page={page} />
    </Stack>
  );
}
