'use client';

import { Button, SimpleGrid } from '@mantine/core';
import { IconBoxMultiple } from '@tabler/icons-react';
import type { Frame } from '@/lib/document/bounds';
import type { PageElement } from '@/lib/document/page-model';
import { boundsOfAll } from '../geometry/frames';
import { frameOf, movedUnits, scaledTogether } from '../geometry/units';
import { useEditorContext } from '../use-editor';
import { NumberField } from './fields';

type GroupProps = { elements: readonly PageElement[] };

/** A button that groups the selected elements, or dissolves their group. */
export function GroupButton({ elements, isGroup }: GroupProps & { isGroup: boolean }) {
  const { store, canEdit } = useEditorContext();
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconBoxMultiple size={14} stroke={1.6} />}
      disabled={!canEdit || elements.every(({ locked }) => locked)}
      onClick={() => store.dispatch({ type: isGroup ? 'ungrouped' : 'grouped' })}
    >
      {isGroup ? 'Ungroup' : 'Group'}
    </Button>
  );
}

/**
 * Fields for the position and size (mm) of a group. A change of the position moves the group's unlocked elements
 * together. A change of the width or height scales them by one factor, so the other side changes too.
 */
export function GroupFrameFields({ elements }: GroupProps) {
  const { store, canEdit } = useEditorContext();
  const bounds = boundsOfAll(elements);
  if (!bounds) return null;
  const { x, y, w, h } = frameOf(bounds);
  const disabled = !canEdit || elements.every(({ locked }) => locked);
  const apply = (field: string, frames: readonly (Frame & { id: string })[]) =>
    store.dispatch({
      type: 'elements-framed',
      frames: Object.fromEntries(frames.map((frame) => [frame.id, frame])),
      group: `field ${field} ${elements.map(({ id }) => id).join()}`,
    });
  const move = (to: Partial<Frame>) =>
    apply(
      Object.keys(to).join(),
      movedUnits([[...elements]], (frames) => frames.map((frame) => ({ ...frame, ...to }))),
    );
  const scale = (field: string, by: number) => apply(field, scaledTogether(elements, by));
  const positionProps = { min: -2000, max: 2000, unit: 'mm' as const, disabled };
  const side = { min: 0.1, max: 2000, unit: 'mm' as const, disabled };
  return (
    <SimpleGrid cols={2} spacing="xs">
      <NumberField label="X" value={x} {...positionProps} onChange={(next) => move({ x: next })} />
      <NumberField label="Y" value={y} {...positionProps} onChange={(next) => move({ y: next })} />
      <NumberField label="Width" value={w} {...side} onChange={(next) => scale('w', next / w)} />
      <NumberField label="Height" value={h} {...side} onChange={(next) => scale('h', next / h)} />
    </SimpleGrid>
  );
}
