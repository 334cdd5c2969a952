/** An ASCII slug of a name for a storage path, or the id when the name has no ASCII letters or digits (東京). */
export function slug(name: string, id: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return ascii === '' ? id : ascii;
}

/**
 * A file name that is safe in a storage path: NFKD, only `[A-Za-z0-9._-]`, at most 80 characters, one dot before the
 * extension. The row keeps the original name.
 */
export function safeFileName(name: string, extension: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  const stem = base
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(new RegExp(`\\.${extension}$`, 'i'), '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80 - extension.length - 1)
    .replace(/[.-]+$/, '');
  return `${stem === '' ? 'file' : stem}.${extension}`;
}

/** `specs/{brand}/{upload_id}/{filename}`: the bucket is the first segment. */
export function specPath(brand: { id: string; name: string }, uploadId: string, fileName: string): string {
  return `specs/${slug(brand.name, brand.id)}/${uploadId}/${safeFileName(fileName, 'pdf')}`;
}

/** The prefix of all images in storage that belong to a project. */
export function projectPrefix(projectId: string): string {
  return `images/projects/${projectId}/`;
}

/** The path of an uploaded input image. */
export function inputImagePath(projectId: string, imageId: string, mimeType: string): string {
  return `${projectPrefix(projectId)}inputs/${imageId}.${mimeType.slice('image/'.length)}`;
}

/** The prefix of all files of an image job; a file outside it does not belong to the job. */
export function jobPrefix(projectId: string, jobId: string): string {
  return `${projectPrefix(projectId)}jobs/${jobId}/`;
}

/** The path of the PDF that an attempt of an export made. */
export function exportPath(projectId: string, jobId: string, attempt: number): string {
  return `exports/projects/${projectId}/${jobId}/${attempt}.pdf`;
}
