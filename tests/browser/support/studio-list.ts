import { inject } from 'vitest';
import type { SpecStatus } from '@/lib/specs/schema';
import { type Api, apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { inParallel } from '@/tests/app/support/poll';
import { report, upload, waitForStatus } from '@/tests/app/support/specs';
import { makePdf } from '@/tests/pdf/support/make-pdf';

type Row = {
  fileName: string;
  brandName: string;
  area: string;
  propertyName: string;
  kilobytes: number;
  minutesAgo: number;
  outcome?: { status: 'completed'; sections: number } | { status: 'failed'; error: string };
};

const completed = (sections: number) => ({ status: 'completed', sections }) as const;

const rows: Row[] = [
  ['lobby-finishes-rev-c.pdf', 'Meridian Hotels', 'Lobby', 'Meridian Lisbon', 4310, 1],
  ['guest-room-casegoods.pdf', 'Nordlys', 'Guest room', 'Tromsø Harbor', 2870, 4, completed(18)],
  [
    'bathroom-stone-schedule.pdf',
    'Casa Verde',
    'Bathroom',
    'Valle Alta',
    1640,
    26,
    { status: 'failed', error: 'Pages 3 to 11 are scans without text: no section could be read.' } as const,
  ],
  ['restaurant-lighting.pdf', 'Meridian Hotels', 'Restaurant', 'Meridian Porto', 920, 95, completed(7)],
  ['corridor-carpets.pdf', 'Nordlys', 'Corridor', 'Bergen Station', 3380, 290, completed(12)],
  ['lobby-signage.pdf', 'Casa Verde', 'Lobby', 'Casa Verde Sevilla', 610, 1510, completed(5)],
].map(([fileName, brandName, area, propertyName, kilobytes, minutesAgo, outcome]) => {
  return { fileName, brandName, area, propertyName, kilobytes, minutesAgo, outcome } as Row;
});

/** Deletes all specs. */
export async function emptyTheList(admin: Api): Promise<void> {
  for (;;) {
    const { body } = await admin('/api/admin/specs?limit=100');
    const ids = (body as { specs: { specUploadId: string }[] }).specs.map((spec) => spec.specUploadId);
    if (ids.length === 0) return;
    await inParallel(ids, 4, (id) => admin(`/api/admin/specs/${id}`, { method: 'DELETE' }));
  }
}

/**
 * Creates specs like those of a real studio: one in progress, one failed, the rest completed, spread over 25 hours.
 * Reports the results in place of the workflow service, which stays silent. Returns the files with their statuses,
 * newest first.
 */
export async function makeStudioList(admin: Api): Promise<{ fileName: string; status: SpecStatus }[]> {
  const { url, env } = inject('atelier');
  const machine = apiAt(url);
  const sql = openDatabase();
  try {
    await inParallel(rows, 3, async ({ kilobytes, minutesAgo, outcome, propertyName, ...parts }) => {
      const file = await makePdf({ sections: 1, bytes: kilobytes * 1024 });
      const id = await upload(admin, { ...parts, file, propertyName: `${propertyName} [silent]` });
      await waitForStatus(admin, id, 'processing');
      if (outcome) {
        const body =
          outcome.status === 'completed' ? { sections_count: outcome.sections } : { error: outcome.error };
        await report(machine, env.WEBHOOK_SECRET, { spec_upload_id: id, status: outcome.status, ...body });
      }
      await sql`
        update public.spec_uploads
           set property_name = ${propertyName}, created_at = now() - make_interval(mins => ${minutesAgo})
         where id = ${id}`;
    });
  } finally {
    await sql.end();
  }
  return rows.map(({ fileName, outcome }) => ({ fileName, status: outcome?.status ?? 'processing' }));
}
