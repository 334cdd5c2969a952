'use client';

import { documentHref } from '@/components/editor/document-url';
import { galleryHref } from '@/components/gallery/gallery-url';
import { Link } from '@/components/shell/link';
import { studioHref } from '@/components/studio/studio-url';
import classes from './project-nav.module.css';

export type ProjectPart = 'studio' | 'gallery' | 'document';
type ProjectNavProps = { projectId: string; current: ProjectPart };

/** Shows links to the studio, the gallery and the document of a project. */
export function ProjectNav({ projectId, current }: ProjectNavProps) {
  const parts = [
    { id: 'studio', label: 'Studio', href: studioHref(projectId) },
    { id: 'gallery', label: 'Gallery', href: galleryHref(projectId) },
    { id: 'document', label: 'Document', href: documentHref({ projectId }) },
  ] as const;
  return (
    <nav aria-label="Project" className={classes.nav}>
      {parts.map(({ id, label, href }) => (
        <Link
          key={id}
          href={href}
          className={classes.link}
          aria-current={id === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
