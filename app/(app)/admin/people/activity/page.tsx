import { activityHref, parseActivityFilters } from '@/components/activity/activity-filters';
import { ActivityPanel } from '@/components/activity/activity-panel';
import { listActivity, listActors } from '@/lib/activity/queries';
import type { PageQuery } from '@/lib/http/page-params';
import { requireAdmin } from '../../require-admin';

export const metadata = { title: 'Activity' };

type Props = { searchParams: Promise<PageQuery> };

/** Shows the audit log. */
export default async function ActivityPage({ searchParams }: Props) {
  const filters = parseActivityFilters(await searchParams);
  await requireAdmin(activityHref(filters));
  const [initial, { actors }] = await Promise.all([listActivity({ ...filters, limit: 50 }), listActors()]);
  return <ActivityPanel initial={initial} actors={actors} />;
}
