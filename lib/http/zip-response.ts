/** Returns the response that sends a ZIP file. The page's link sets the file name in its `download` attribute. */
export function zipResponse(zip: ReadableStream<Uint8Array>): Response {
  return new Response(zip, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment',
      'cache-control': 'private, no-store',
    },
  });
}
