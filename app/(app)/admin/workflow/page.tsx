import { Anchor } from '@mantine/core';
import { PageHeading } from '@/components/shell/page-heading';
import { eventsHref, parseEventFilters } from '@/components/workflow/event-filters';
import { parseView, viewHref } from '@/components/workflow/workflow-view';
import { WorkflowViews } from '@/components/workflow/workflow-views';
import type { PageQuery } from '@/lib/http/page-params';
import { listEvents } from '@/lib/workflow-events/list-events';
import { requireAdmin } from '../require-admin';

export const metadata = { title: 'Workflow' };

type Props = { searchParams: Promise<PageQuery> };

/** Shows the view that the URL names: triggers and callbacks, rejected callbacks, workflow tests or event endpoints. */
export default async function WorkflowPage({ searchParams }: Props) {
  const params = await searchParams;
  const filters = parseEventFilters(params);
  const view = parseView(params.view);
  await requireAdmin(view === 'activity' ? eventsHref(filters) : viewHref(view));
  const initial =
    view === 'activity'
      ? await listEvents({ ...filters, trouble: filters.trouble ?? false, limit: 30 })
      : null;
  return (
    <>
      <PageHeading
        title="Workflow"
        description={
          <>
            Triggers sent, callbacks received and events for other systems, kept for a month. To write a
            workflow service, see the{' '}
            <Anchor href="/docs" underline="always">
              API documentation
            </Anchor>
            .
          </>
        }
      />
      <WorkflowViews initial={initial} />
    </>
  );
}
