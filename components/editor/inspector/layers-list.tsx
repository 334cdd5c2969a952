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
import { imageKey, type PageData, type PageElement } from '@/lib/document/page-model';
import { elementLabel, groupLabel } from '../element-labels';
import { unitsInLayers } from '../layers';
import { useEditor, useEditorContext } from '../use-editor';
import classes from './inspector.module.css';

type ElementRowProps = { element: PageElement; selected: boolean };

/** Shows an element's label as a button that selects the element, and a button that locks or unlocks the element. */
function ElementRow({ element, selected }: ElementRowProps) {
  const { store, canEdit } = useEditorContext();
  const { id, locked } = element;
  const label = elementLabel(element);
  const overflows = useEditor((state) => state.overflows[id] !== undefined);
  return (
    <>
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
          {label}
          {overflows && (
            <Text span inherit c="red">
              {' '}
              · does not fit
            </Text>
          )}
          {element.type === 'image' && element.alt === '' && imageKey(element) !== null && (
            <Text span inherit c="dimmed">
              {' '}
              · no description
            </Text>
          )}
        </Text>
      </UnstyledButton>
      <LockButton label={label} ids={[id]} locked={locked} disabled={!canEdit} />
    </>
  );
}

type LockButtonProps = { label: string; ids: readonly string[]; locked: boolean; disabled: boolean };

function LockButton({ label, ids, locked, disabled }: LockButtonProps) {
  const { store } = useEditorContext();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      disabled={disabled}
      aria-pressed={locked}
      aria-label={`${locked ? 'Unlock' : 'Lock'} ${label}`}
      onClick={() => store.dispatch({ type: 'locked', ids, locked: !locked })}
    >
      {locked ? <IconLock size={14} stroke={1.8} /> : <IconLockOpen size={14} stroke={1.3} />}
    </ActionIcon>
  );
}

type LayerProps = {
  /** The id in the sortable list. */
  id: string;
  /** The element, or the elements of a group in stacking order, bottom first. */
  unit: readonly PageElement[];
  /**
   * The ids of the unit's selected elements, separated by commas. A string, so that `isSameLayer` can compare the ids
   * with `===`.
   */
  selected: string;
};

const Layer = memo(function Layer({ id, unit, selected }: LayerProps) {
  const { store, canEdit } = useEditorContext();
  const [only] = unit;
  const selectedIds = new Set(selected.split(','));
  const isSelected = unit.every((element) => selectedIds.has(element.id));
  const locked = unit.every((element) => element.locked);
  const isGroup = unit.length > 1;
  const label = only && !isGroup ? elementLabel(only) : groupLabel(unit.length);
  const ids = unit.map((element) => element.id);
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled: !canEdit || locked,
  });
  return (
    <li
      ref={setNodeRef}
      className={classes.layer}
      data-selected={isSelected}
      data-dragging={isDragging}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <div className={classes.layerRow}>
        <ActionIcon
          variant="transparent"
          color="gray"
          size="sm"
          className={classes.grip}
          {...attributes}
          {...listeners}
          disabled={!canEdit || locked}
          aria-label={`Move ${label} to another layer`}
        >
          <IconGripVertical size={14} stroke={1.6} />
        </ActionIcon>
        {only && !isGroup ? (
          <ElementRow element={only} selected={isSelected} />
        ) : (
          <>
            <UnstyledButton
              className={classes.layerName}
              aria-pressed={isSelected}
              onClick={() => store.dispatch({ type: 'selected', ids })}
            >
              <Text size="xs" truncate>
                {label}
              </Text>
            </UnstyledButton>
            <LockButton label={label} ids={ids} locked={locked} disabled={!canEdit} />
          </>
        )}
      </div>
      {isGroup && (
        <ul className={classes.members} aria-label={label}>
          {unit.toReversed().map((element) => (
            <li
              key={element.id}
              className={classes.layerRow}
              data-selected={!isSelected && selectedIds.has(element.id)}
            >
              <ElementRow element={element} selected={selectedIds.has(element.id)} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}, isSameLayer);

/**
 * Returns whether two layers have equal props. Compares `unit` by its elements, because the array is often a new one.
 */
function isSameLayer(before: LayerProps, after: LayerProps): boolean {
  return (
    before.id === after.id &&
    before.selected === after.selected &&
    before.unit.length === after.unit.length &&
    before.unit.every((element, index) => element === after.unit[index])
  );
}

/** Returns a unit's id in the sortable list. The prefix distinguishes a group from an element with the same id. */
function sortableId([first, ...others]: readonly PageElement[]): string {
  return others.length > 0 ? `group ${first?.groupId}` : (first?.id ?? '');
}

/** Lists the elements and groups of a page in stacking order, top first. */
export const LayersList = memo(function LayersList({ page }: { page: PageData }) {
  const { store } = useEditorContext();
  const selected = useEditor((state) => state.selected);
  const layers = useMemo(() => unitsInLayers(page.elements).toReversed(), [page.elements]);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const to = layers.findIndex((unit) => sortableId(unit) === over?.id);
    const moved = layers.find((unit) => sortableId(unit) === active.id)?.[0];
    if (to < 0 || !moved || active.id === over?.id) return;
    store.dispatch({ type: 'moved-to-layer', id: moved.id, to: layers.length - 1 - to });
  };
  // Keep the same array while the ids and their order stay the same, because a new array re-renders all items.
  const idList = layers.map(sortableId).join();
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
              {layers.map((unit) => (
                <Layer
                  key={sortableId(unit)}
                  id={sortableId(unit)}
                  unit={unit}
                  selected={unit
                    .map(({ id }) => id)
                    .filter((id) => selected.includes(id))
                    .join()}
                />
              ))}
            </ul>
          </SortableContext>
        </DndContext>
      )}
    </Stack>
  );
});
