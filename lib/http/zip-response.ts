/** Returns a response that sends a ZIP file. The link's `download` attribute determines the file name. */
export function zipResponse(zip: ReadableStream<Uint8Array>): Response {
  return new Response(zip, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment',
      'cache-control': 'private, no-store',
    },
  });
}
