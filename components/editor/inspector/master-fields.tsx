'use client';

import { Button, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { PageData } from '@/lib/document/page-model';
import { focusCanvas } from '../canvas/focus-canvas';
import type { MasterPatch } from '../change-masters';
import { newMasterText } from '../new-elements';
import { useEditorContext, usePaper } from '../use-editor';
import { ColorField, LineField } from './fields';
import { GuideFields } from './guide-fields';

const texts = [
  { label: 'Page number', text: '{page}', align: 'right' },
  { label: 'Page number and total', text: '{page} / {pages}', align: 'right' },
  { label: 'Page title', text: '{title}', align: 'left' },
] as const;

export function MasterFields({ master }: { master: PageData }) {
  const { store, canEdit } = useEditorContext();
  const paper = usePaper();
  const { id } = master;
  const change = (patch: MasterPatch) =>
    store.dispatch({ type: 'master-changed', id, patch, group: `master ${id} ${Object.keys(patch).join()}` });
  const insert = (text: string, align: 'left' | 'right') => {
    store.dispatch({ type: 'elements-added', elements: [newMasterText(paper, text, align)] });
    focusCanvas(store);
  };
  return (
    <Stack gap="xs" component="section" aria-label="Master">
      <Title order={2} size="sm">
        Master
      </Title>
      <Text size="xs" c="dimmed">
        Printed behind the elements of every page that uses this master.
      </Text>
      <LineField
        label="Name"
        value={master.title}
        maxLength={200}
        disabled={!canEdit}
        onChange={(title) => change({ title })}
      />
      <ColorField
        label="Background"
        value={master.background}
        colorId={master.backgroundId}
        disabled={!canEdit}
        onChange={(background, backgroundId) => change({ background, backgroundId })}
      />
      <Menu withinPortal position="bottom-start">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            disabled={!canEdit}
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
          >
            Insert page number or title
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {texts.map(({ label, text, align }) => (
            <Menu.Item key={label} onClick={() => insert(text, align)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <GuideFields page={master} />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          disabled={!canEdit}
          onClick={() => store.dispatch({ type: 'master-applied', id })}
        >
          Use on all pages
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          disabled={!canEdit}
          onClick={() => store.dispatch({ type: 'master-removed', id })}
        >
          Delete master
        </Button>
      </Group>
    </Stack>
  );
}
