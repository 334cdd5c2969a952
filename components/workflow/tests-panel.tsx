'use client';

import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { type EventKind, eventKind } from '@/lib/workflow-events/schema';
import { CallbackTest } from './callback-test';
import { WorkflowTest } from './workflow-test';

/** Shows a trigger test and a callback test, for specs or images. */
export function TestsPanel() {
  const [kind, setKind] = useState<EventKind>('spec');
  return (
    <Stack gap="md" component="section" aria-label="Tests">
      <SegmentedControl
        aria-label="Kind"
        value={kind}
        onChange={(value) => setKind(eventKind.parse(value))}
        data={[
          { value: 'spec', label: 'Specs' },
          { value: 'image', label: 'Images' },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} key={kind} style={{ alignItems: 'start' }}>
        <WorkflowTest kind={kind} />
        <CallbackTest kind={kind} />
      </SimpleGrid>
    </Stack>
  );
}
