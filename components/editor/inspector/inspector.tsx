'use client';

import { Button, Divider, Stack, Text, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { memo, useDeferredValue, useMemo } from 'react';
import { countOf } from '@/components/format/count';
import type { PageData, PageElement } from '@/lib/document/page-model';
import { elementLabel, groupLabel } from '../element-labels';
import { isWholeGroup } from '../group-selection';
import { useEditor, useEditorContext } from '../use-editor';
import { ContentsFields } from './contents-fields';
import { CoverFields } from './cover-fields';
import { DocumentFields } from './document-fields';
import { FrameFields } from './frame-fields';
import { GroupButton, GroupFrameFields } from './group-fields';
import { ImageFields } from './image-fields';
import { LayersList } from './layers-list';
import { MasterFields } from './master-fields';
import { MaterialFields } from './material-fields';
import { MissingCharacters } from './missing-characters';
import { OverflowNotice } from './overflow-notice';
import { PageFields } from './page-fields';
import { ShapeFields } from './shape-fields';
import { TableFields } from './table-fields';
import { TextFields } from './text-fields';

type Kind = PageElement['type'];
type Of<Type extends Kind> = Extract<PageElement, { type: Type }>;

function allOf<Type extends Kind>(elements: readonly PageElement[], type: Type): Of<Type>[] | null {
  const found = elements.filter((element): element is Of<Type> => element.type === type);
  return found.length > 0 && found.length === elements.length ? found : null;
}

export type InspectorSlots = { onReplaceImage?: () => void; onCoverImage?: () => void };

function KindFields({ elements, onReplaceImage }: { elements: readonly PageElement[] } & InspectorSlots) {
  const texts = allOf(elements, 'text');
  if (texts) return <TextFields elements={texts} />;
  const images = allOf(elements, 'image');
  if (images) return <ImageFields elements={images} onReplace={onReplaceImage} />;
  const materials = allOf(elements, 'material');
  if (materials) return <MaterialFields elements={materials} />;
  const tables = allOf(elements, 'table');
  if (tables) return <TableFields elements={tables} />;
  const shapes = allOf(elements, 'shape');
  return shapes && <ShapeFields elements={shapes} />;
}

type SelectedProps = {
  elements: readonly PageElement[];
  /** True if the elements form one whole group. */
  isGroup: boolean;
} & InspectorSlots;

function selectionLabel(elements: readonly PageElement[], isGroup: boolean): string {
  const [only] = elements;
  if (only && elements.length === 1) return elementLabel(only);
  return isGroup ? groupLabel(elements.length) : countOf(elements.length, 'element');
}

const Selected = memo(function Selected({ elements, isGroup, ...slots }: SelectedProps) {
  const { store, canEdit } = useEditorContext();
  const [only] = elements;
  const ids = elements.map(({ id }) => id);
  return (
    // The key resets the typed values when the selection changes.
    <Stack gap="xs" component="section" aria-label="Selection" key={ids.join()}>
      <Title order={2} size="sm" lineClamp={2}>
        {selectionLabel(elements, isGroup)}
      </Title>
      {canEdit && elements.every(({ locked }) => locked) && (
        <>
          <Text size="xs" c="dimmed">
            Locked. Unlock to make changes.
          </Text>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconLock size={14} />}
            onClick={() => store.dispatch({ type: 'locked', ids, locked: false })}
          >
            Unlock
          </Button>
        </>
      )}
      {only && elements.length === 1 && (
        <>
          <OverflowNotice element={only} />
          <MissingCharacters element={only} />
        </>
      )}
      {elements.length > 1 && <GroupButton isGroup={isGroup} elements={elements} />}
      {isGroup ? <GroupFrameFields elements={elements} /> : <FrameFields elements={elements} />}
      <KindFields elements={elements} {...slots} />
    </Stack>
  );
});

function elementsOf(page: PageData | null, ids: readonly string[]): PageElement[] {
  return page?.elements.filter(({ id }) => ids.includes(id)) ?? [];
}

/**
 * Shows the settings of the selection. If nothing is selected, shows those of the open sheet and the document instead.
 * Below them, lists the layers of `page`, which is the open page or master, or null if neither is open. `number` is the
 * page number, or null if no page is open.
 */
export function Inspector({
  page,
  number,
  ...slots
}: { page: PageData | null; number: number | null } & InspectorSlots) {
  const openKind = useEditor(({ sheet }) => sheet.kind);
  const selectedIds = useEditor(({ selected }) => selected);
  // During a drag or a move with the arrow keys, the fields may lag behind the canvas. The list of layers may lag
  // behind at any time.
  const isDragged = useEditor(({ group }) => group !== null && /^(drag|nudge) /.test(group));
  const later = useDeferredValue(page);
  const shown = isDragged && later?.id === page?.id ? later : page;
  const known = useMemo(() => elementsOf(shown, selectedIds), [shown, selectedIds]);
  // The deferred page lacks elements that a drag has just created.
  const elements = known.length === selectedIds.length ? known : elementsOf(page, selectedIds);
  return (
    <Stack gap="md">
      {page && elements.length > 0 ? (
        <Selected elements={elements} isGroup={isWholeGroup(page.elements, elements)} {...slots} />
      ) : (
        <>
          {openKind === 'cover' && <CoverFields onCoverImage={slots.onCoverImage} />}
          {openKind === 'contents' && <ContentsFields />}
          {page && openKind === 'master' && <MasterFields key={page.id} master={page} />}
          {page && number !== null && <PageFields key={page.id} page={page} number={number} />}
          <DocumentFields />
        </>
      )}
      {later && (
        <>
          <Divider />
          <LayersList page={later} />
        </>
      )}
    </Stack>
  );
}
