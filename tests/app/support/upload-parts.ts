import type { Part } from '@/tests/app/support/form';
import { makePdf } from '@/tests/pdf/support/make-pdf';

export type UploadParts = {
  file?: Uint8Array;
  fileName?: string;
  brandName?: string;
  area?: string;
  /** May contain a tag that controls the fake workflow service, as in `Hotel [silent]`. */
  propertyName?: string;
  onDuplicate?: string;
  /** The spec whose next version the file becomes. */
  replaces?: string;
};

/** Returns the parts of a valid upload, fields before the file; arguments replace the defaults. */
export async function uploadParts({
  file,
  fileName = 'spec.pdf',
  ...texts
}: UploadParts = {}): Promise<Part[]> {
  const fields = { brandName: 'Nordlys', area: 'Lobby', ...texts };
  const bytes = file ?? (await makePdf({ sections: 2 }));
  return [
    ...Object.entries(fields).map(([name, value]) => ({ name, value })),
    { name: 'file', value: bytes, fileName, type: 'application/pdf' },
  ];
}
