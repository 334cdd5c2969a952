import { PeoplePanel } from '@/components/people/people-panel';
import { serverEnv } from '@/lib/env/server';
import { listPeople } from '@/lib/people/queries';
import { requireAdmin } from '../require-admin';

export const metadata = { title: 'People' };

/** Lists the people in the studio. */
export default async function PeoplePage() {
  const { userId } = await requireAdmin('/admin/people');
  const sendsMail = serverEnv().SMTP_URL !== undefined;
  return <PeoplePanel userId={userId} sendsMail={sendsMail} initial={await listPeople({ limit: 50 })} />;
}
