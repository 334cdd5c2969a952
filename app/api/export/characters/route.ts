import { methods, route } from '@/lib/http/route';
import { inDocumentThread } from '@/app/in-document-thread';
import { printedCharactersResponse } from '@/lib/export/schema';
import { cacheable } from '@/lib/http/cacheable';

type PrintedCharacters = Awaited<ReturnType<typeof inDocumentThread<'printedCharacters'>>>;
let cached: PrintedCharacters | undefined;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Returns the characters that exports can print, as ranges of code points.',
    docs: { cacheable: true },
    status: 200,
    response: printedCharactersResponse,
    handle: async ({ caller }) => {
      cached ??= Object.freeze(await inDocumentThread('printedCharacters', {}, caller.userId));
      return cacheable(cached, { 'cache-control': 'private, max-age=3600' });
    },
  }),
});
