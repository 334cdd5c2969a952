/** Returns a response that sends a ZIP file. Its file name comes from the `download` attribute of the page's link. */
export function zipResponse(zip: ReadableStream<Uint8Array>): Response {
  return new Response(zip, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment',
      'cache-control': 'private, no-store',
    },
  });
}
