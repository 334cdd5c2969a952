'use client';

import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconGripVertical, IconLock, IconLockOpen } from '@tabler/icons-react';
import { memo, useMemo } from 'react';
import type { PageData, PageElement } from '@/lib/document/page-model';
import { wordsFor } from '../element-words';
import { inLayers } from '../layers';
import { useEditor, useEditorContext } from '../use-editor';
import classes from './inspector.module.css';

type LayerProps = { element: PageElement; selected: boolean };

const Layer = memo(function Layer({ element, selected }: LayerProps) {
  const { store, canEdit } = useEditorContext();
  const { id, locked } = element;
  const words = wordsFor(element);
  const overflows = useEditor((state) => state.overflows[id] !== undefined);
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled: !canEdit || locked,
  });
  return (
    <li
      ref={setNodeRef}
      className={classes.layer}
      data-selected={selected}
      data-dragging={isDragging}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <ActionIcon
        variant="transparent"
        color="gray"
        size="sm"
        className={classes.grip}
        {...attributes}
        {...listeners}
        disabled={!canEdit || locked}
        aria-label={`Move ${words} to another layer`}
      >
        <IconGripVertical size={14} stroke={1.6} />
      </ActionIcon>
      <UnstyledButton
        className={classes.layerName}
        aria-pressed={selected}
        onClick={(event) =>
          store.dispatch(
            event.shiftKey || event.ctrlKey || event.metaKey
              ? { type: 'toggled', id }
              : { type: 'selected', ids: [id] },
          )
        }
      >
        <Text size="xs" truncate>
          {words}
          {overflows && (
            <Text span inherit c="red">
              {' '}
              · does not fit
            </Text>
          )}
        </Text>
      </UnstyledButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        disabled={!canEdit}
        aria-pressed={locked}
        aria-label={`${locked ? 'Unlock' : 'Lock'} ${words}`}
        onClick={() => store.dispatch({ type: 'locked', ids: [id], locked: !locked })}
      >
        {locked ? <IconLock size={14} stroke={1.8} /> : <IconLockOpen size={14} stroke={1.3} />}
      </ActionIcon>
    </li>
  );
});

/** The elements of a page in stacking order, top first. */
export const LayersList = memo(function LayersList({ page }: { page: PageData }) {
  const { store } = useEditorContext();
  const selected = useEditor((state) => state.selected);
  const layers = useMemo(() => inLayers(page.elements).toReversed(), [page.elements]);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const to = layers.findIndex(({ id }) => id === over?.id);
    if (to < 0 || active.id === over?.id) return;
    store.dispatch({ type: 'moved-to-layer', id: String(active.id), to: layers.length - 1 - to });
  };
  // Keep the same array until elements are added, removed or reordered, because a new array re-renders all items.
  const idList = layers.map(({ id }) => id).join();
  const ids = useMemo(() => (idList === '' ? [] : idList.split(',')), [idList]);
  return (
    <Stack gap={6} component="section" aria-label="Layers">
      <Title order={2} size="sm">
        Layers
      </Title>
      {layers.length === 0 ? (
        <Text size="xs" c="dimmed">
          The page is empty.
        </Text>
      ) : (
        <DndContext id="layers" sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
          <SortableContext items={ids} strategy={verticalListSortingStrategy}>
            <ul className={classes.layers}>
              {layers.map((element) => (
                <Layer key={element.id} element={element} selected={selected.includes(element.id)} />
              ))}
            </ul>
          </SortableContext>
        </DndContext>
      )}
    </Stack>
  );
});
