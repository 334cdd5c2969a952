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
  /** The id of an earlier spec. The file becomes the next version of that spec. */
  replaces?: string;
};

/** Returns the parts of a valid upload. The fields come before the file. Arguments replace the default values. */
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
