'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconTableShortcut, IconTextPlus } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { PageElement } from '@/lib/document/page-model';
import { focusCanvas } from '../canvas/focus-canvas';
import { heightened } from '../geometry/frames';
import { newFlow } from '../tables/flow-table';
import { useEditor, useEditorContext } from '../use-editor';

/**
 * Shows that an element's content does not fit its frame. Offers to enlarge the frame of a text element or table, and
 * to continue a table on the next page.
 */
export function OverflowNotice({ element }: { element: PageElement }) {
  const { store, canEdit } = useEditorContext();
  const height = useEditor(({ overflows }) => overflows[element.id]);
  const { id, x, y, w, rotation, type, locked } = element;
  const [isFitting, setFitting] = useState(false);
  const fitted = height === undefined ? null : heightened({ x, y, w, h: element.h, rotation }, height);
  const fitFrame = useEffectEvent(() => {
    if (fitted) {
      store.dispatch({ type: 'elements-framed', frames: { [id]: fitted }, group: `fit ${id}` });
    } else {
      setFitting(false);
      store.dispatch({ type: 'settled' });
      focusCanvas(store);
    }
  });
  // Long content is rendered only as far as its frame can show it. A taller frame renders more, which may need an even
  // taller frame.
  // biome-ignore lint/correctness/useExhaustiveDependencies: fit again when `height` changes.
  useEffect(() => {
    if (isFitting) fitFrame();
  }, [isFitting, height]);
  if (height === undefined) return null;
  const canChange = canEdit && !locked && height > element.h;
  const canFit = canChange && (type === 'text' || type === 'table') && fitted !== null;
  const what = { text: 'The text', table: 'The table' }[type as string] ?? 'The content';
  return (
    <Alert color="red" variant="light" p="xs" role="status">
      <Stack gap={6} align="flex-start">
        <Text size="xs">{what} does not fit its frame. What is cut off will not be printed.</Text>
        {canChange && type === 'table' && element.flowId === undefined && element.continues === undefined && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconTableShortcut size={14} />}
            onClick={() => store.dispatch({ type: 'elements-changed', ids: [id], patch: newFlow() })}
          >
            Continue on the next page
          </Button>
        )}
        {canFit && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconTextPlus size={14} />}
            loading={isFitting}
            onClick={() => setFitting(true)}
          >
            Fit frame to content
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
