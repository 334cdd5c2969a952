'use client';

import { Tabs } from '@mantine/core';
import { useSearchParams } from 'next/navigation';
import type { EventsResponse } from '@/lib/workflow/schema';
import { EndpointsPanel } from './endpoints-panel';
import { RefusedPanel } from './refused-panel';
import { TestsPanel } from './tests-panel';
import { WorkflowPanel } from './workflow-panel';
import { parseView, viewHref, type WorkflowView } from './workflow-view';

const labels: Record<WorkflowView, string> = {
  activity: 'Activity',
  refused: 'Refused callbacks',
  tests: 'Test',
  endpoints: 'Event endpoints',
};

/** The parts of the workflow page as tabs; the URL names the current one. */
export function WorkflowViews({ initial }: { initial: EventsResponse }) {
  const view = parseView(useSearchParams().get('view'));
  return (
    <Tabs
      value={view}
      onChange={(value) => window.history.pushState(null, '', viewHref(parseView(value)))}
      keepMounted={false}
    >
      <Tabs.List mb="lg" aria-label="Workflow service">
        {Object.entries(labels).map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="activity">
        <WorkflowPanel initial={initial} />
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
  );
}
