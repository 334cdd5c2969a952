import { deliverEvent } from '@/lib/event-endpoints/deliver-event';
import { exportPdf } from '@/lib/export/export-pdf';
import { snapshotRows } from '@/lib/export/snapshot';
import { readProjectFonts } from '@/lib/fonts/read-project-fonts';
import { dispatchImage } from '@/lib/image-gen/dispatch-image';
import { sendAccountMail } from '@/lib/people/send-account-mail';
import type { WorkHandlers } from '@/lib/queue/work';
import { dispatchSpec } from '@/lib/specs/dispatch-spec';
import { readSpecText } from '@/lib/specs/read-spec-text';
import { BACKGROUND } from '@/lib/threads/task-pool';
import { inDocumentThread } from './in-document-thread';

/** The handlers for all kinds of background work, by kind. */
export const workHandlers: WorkHandlers = {
  spec_dispatch: dispatchSpec,
  spec_text: readSpecText,
  image_dispatch: dispatchImage,
  event_delivery: deliverEvent,
  account_mail: sendAccountMail,
  pdf_export: exportPdf({
    render: (input) => inDocumentThread('documentHtml', input, BACKGROUND),
    readSnapshot: async (jobId) =>
      inDocumentThread('parseSnapshot', { rows: await snapshotRows(jobId) }, BACKGROUND),
    fontCoverage: (fonts) => inDocumentThread('fontCoverage', { fonts }, BACKGROUND),
    missingGlyphs: (sheets, fonts) => inDocumentThread('missingGlyphs', { sheets, fonts }, BACKGROUND),
    readProjectFonts,
  }),
};
