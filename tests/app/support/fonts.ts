import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { projectFont } from '@/lib/fonts/schema';
import { readWoff, writeTtf } from '@/lib/pdf/fonts/woff-to-ttf';
import { type Api, type ApiResponse, excerpt } from '@/tests/app/support/api';
import { form } from '@/tests/app/support/form';

/** Returns a font file from the installed `@fontsource` packages. */
export function packedFont(file: string): Promise<Buffer> {
  return readFile(`node_modules/@fontsource/${file}`);
}

type StudioFont = {
  file?: string;
  bold?: boolean;
  italic?: boolean;
  change?: (tables: Map<string, Buffer>) => void;
};

/** Returns a TrueType file with this family name and, by default, the glyphs of Lora. */
export async function studioFont(
  family: string,
  { file = 'lora/files/lora-latin-400-normal.woff', bold = false, italic = false, change }: StudioFont = {},
): Promise<Buffer> {
  const { flavor, tables } = readWoff(await packedFont(file));
  const os2 = Buffer.from(tables.get('OS/2') ?? []);
  os2.writeUInt16BE((bold ? 0x20 : 0) | (italic ? 0x1 : 0), 62);
  tables.set('OS/2', os2);
  change?.(tables);
  return writeTtf({ flavor, tables }, { family, weight: bold ? 700 : 400, italic });
}

/** Uploads a font; the response is not checked. */
export function sendFont(api: Api, projectId: string, file: Uint8Array): Promise<ApiResponse> {
  const { body, headers } = form([{ name: 'file', value: file, fileName: 'studio.ttf', type: 'font/ttf' }]);
  return api(`/api/projects/${projectId}/fonts`, { method: 'POST', body, headers });
}

/** Uploads a font and expects it to be accepted. */
export async function addFont(api: Api, projectId: string, file: Uint8Array) {
  const response = await sendFont(api, projectId, file);
  expect(response.status, excerpt(response)).toBe(201);
  return projectFont.parse(response.body);
}
