import { Anchor } from '@mantine/core';
import { PageHeading } from '@/components/shell/page-heading';
import { eventsHref, parseEventFilters } from '@/components/workflow/event-filters';
import { WorkflowPanel } from '@/components/workflow/workflow-panel';
import { listEvents } from '@/lib/workflow/list-events';
import { requireAdmin } from '../require-admin';

export const metadata = { title: 'Workflow service' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Triggers and callbacks of specs and image jobs. */
export default async function WorkflowPage({ searchParams }: Props) {
  const filters = parseEventFilters(await searchParams);
  await requireAdmin(eventsHref(filters));
  const initial = await listEvents({ ...filters, trouble: filters.trouble ?? false, limit: 30 });
  return (
    <>
      <PageHeading
        title="Workflow service"
        description={
          <>
            Triggers sent and callbacks received, newest first, kept for a month. To write a workflow service,
            see the{' '}
            <Anchor href="/docs" underline="always">
              API documentation
            </Anchor>
            .
          </>
        }
      />
      <WorkflowPanel initial={initial} />
    </>
  );
}
