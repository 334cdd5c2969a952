'use client';

import { Stack, Tabs } from '@mantine/core';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { useOnline } from '@/hooks/use-online';
import type { EventsResponse } from '@/lib/workflow-events/schema';
import { EndpointsPanel } from './endpoints-panel';
import { RefusedPanel } from './refused-panel';
import { TestsPanel } from './tests-panel';
import { WorkflowPanel } from './workflow-panel';
import { parseView, viewHref, type WorkflowView } from './workflow-view';

const labels: Record<WorkflowView, string> = {
  activity: 'Activity',
  refused: 'Rejected callbacks',
  tests: 'Tests',
  endpoints: 'Event endpoints',
};

/** Shows the views of the workflow page as tabs. The URL names the current one. */
export function WorkflowViews({ initial }: { initial: EventsResponse | null }) {
  const view = parseView(useSearchParams().get('view'));
  const online = useOnline();
  // Drop the server-rendered events once the user leaves the activity view. By the time they return, the events are
  // outdated, and the filters may be different.
  const [firstEvents, setFirstEvents] = useState(initial);
  if (view !== 'activity' && firstEvents !== null) setFirstEvents(null);
  return (
    <Stack gap="md">
      {!online && <OfflineBanner />}
      <Tabs
        value={view}
        onChange={(value) => window.history.pushState(null, '', viewHref(parseView(value)))}
        keepMounted={false}
      >
        <Tabs.List mb="lg" aria-label="Workflow">
          {Object.entries(labels).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="activity">
          <WorkflowPanel initial={firstEvents} />
        </Tabs.Panel>
        <Tabs.Panel value="refused">
          <RefusedPanel />
        </Tabs.Panel>
        <Tabs.Panel value="tests">
          <TestsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="endpoints">
          <EndpointsPanel />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
