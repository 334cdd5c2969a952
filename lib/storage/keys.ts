/** An ASCII slug of a name for a storage path; the id where nothing is left of the name (東京). */
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
 * extension. The original name is kept in the row.
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

/** Everything that a project owns in storage lies below this. */
export function projectPrefix(projectId: string): string {
  return `images/projects/${projectId}/`;
}

/** An input image that somebody uploaded. */
export function inputImagePath(projectId: string, imageId: string, mimeType: string): string {
  return `${projectPrefix(projectId)}inputs/${imageId}.${mimeType.slice('image/'.length)}`;
}

/** Everything that the runs of an image job bring lies below this; a variant elsewhere is not the job's. */
export function jobPrefix(projectId: string, jobId: string): string {
  return `${projectPrefix(projectId)}jobs/${jobId}/`;
}
