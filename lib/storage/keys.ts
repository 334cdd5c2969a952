/** Returns an ASCII slug of a name for a storage path. It is empty for a name without ASCII letters or digits. */
export function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
}

/**
 * Returns a version of a file name that is safe in a storage path. It has no accents, contains only `[A-Za-z0-9._-]`
 * without consecutive dots, has at most 80 characters and ends with the given extension. The database keeps the
 * original name of a spec's file.
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

/**
 * Returns the path of a spec's PDF, `specs/{brand}/{upload_id}/{filename}`. The first segment is the bucket. `brand` is
 * the slug of the brand's name, or its id if the slug is empty.
 */
export function specPath(brand: string, uploadId: string, fileName: string): string {
  return `specs/${brand}/${uploadId}/${safeFileName(fileName, 'pdf')}`;
}

/** Returns the prefix of the storage paths of a project's images. */
export function projectPrefix(projectId: string): string {
  return `images/projects/${projectId}/`;
}

/**
 * Returns the storage path of a project's image that a client names: with a slash in front, without the bucket, or by
 * one of its signed URLs.
 */
export function imagePathOf(named: string): string {
  const inUrl =
    /^https?:\/\/[^?#]*\/storage\/v1\/object\/(?:upload\/)?(?:sign|public|authenticated)\/([^?#]+)/.exec(
      named,
    )?.[1];
  const path = (inUrl ?? named).replace(/^\/+/, '');
  return path.startsWith('projects/') ? `images/${path}` : path;
}

export function inputImagePath(projectId: string, imageId: string, mimeType: string): string {
  return `${projectPrefix(projectId)}inputs/${imageId}.${mimeType.slice('image/'.length)}`;
}

/** Returns the path prefix of an image job's outputs. Files outside of it are not outputs of the job. */
export function jobPrefix(projectId: string, jobId: string): string {
  return `${projectPrefix(projectId)}jobs/${jobId}/`;
}

/** Returns the path of the PDF that one attempt of an export creates. */
export function exportPath(projectId: string, jobId: string, attempt: number): string {
  return `exports/projects/${projectId}/${jobId}/${attempt}.pdf`;
}
