'use client';

import { Avatar, Button, Text, Title } from '@mantine/core';
import { IconPhoto, IconRestore } from '@tabler/icons-react';
import { RelativeTime } from '@/components/format/relative-time';
import { RestorableFor } from '@/components/format/restorable-for';
import { PersonAvatar } from '@/components/people/person-avatar';
import { personName } from '@/components/people/person-name';
import { Link } from '@/components/shell/link';
import type { ProjectCardData } from '@/lib/projects/schema';
import { projectHref } from './project-href';
import classes from './project-list.module.css';
import { ProjectMenu } from './project-menu';
import type { ProjectChanges } from './use-project-changes';

type ProjectCardProps = {
  project: ProjectCardData;
  changes: ProjectChanges;
  /** Called after the project is renamed or deleted. */
  onChanged: () => unknown;
  /** Called when an image does not load, because its signed URL may have expired. */
  onStale: () => void;
};

/**
 * Shows a project with its newest images, its people and the time of its creation. If the project is deleted, the
 * people and the time are replaced by the number of days left to restore the project and a button that restores it.
 */
export function ProjectCard({ project, changes, onChanged, onStale }: ProjectCardProps) {
  const { name, images, people, peopleCount, restorableUntil } = project;
  const isDeleted = restorableUntil !== null;
  const more = peopleCount - people.length;
  return (
    <li className={classes.card} data-deleted={isDeleted}>
      <div className={classes.mosaic} data-count={images.length}>
        {images.length === 0 ? (
          <IconPhoto size={40} stroke={1} aria-hidden="true" />
        ) : (
          images.map((image) => (
            // The images only decorate the card, so they have no alternative text.
            // biome-ignore lint/performance/noImgElement: these are usually thumbnails, which need no optimization.
            <img
              key={image.id}
              src={image.url ?? undefined}
              alt=""
              loading="lazy"
              decoding="async"
              onError={onStale}
            />
          ))
        )}
      </div>
      <div className={classes.about}>
        <div className={classes.names}>
          <Title order={2} size="h4" className={classes.name} title={name}>
            {isDeleted ? (
              name
            ) : (
              <Link href={projectHref(project)} className={classes.link}>
                {name}
              </Link>
            )}
          </Title>
          <Text size="sm" c="dimmed" className={classes.facts}>
            {isDeleted ? (
              <RestorableFor until={restorableUntil} />
            ) : (
              // Show the creation time, because the list is sorted by it.
              <>
                Created <RelativeTime iso={project.createdAt} />
              </>
            )}
          </Text>
        </div>
        {isDeleted ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRestore size={14} />}
            aria-label={`Restore ${name}`}
            onClick={() => void changes.restore(project)}
          >
            Restore
          </Button>
        ) : (
          <>
            <Avatar.Group role="list" aria-label="People" spacing={6}>
              {people.map((person) => (
                <PersonAvatar
                  key={person.userId}
                  person={person}
                  role="listitem"
                  size={26}
                  title={personName(person)}
                  aria-label={personName(person)}
                />
              ))}
              {more > 0 && (
                <Avatar role="listitem" size={26} aria-label={`${more} more`}>
                  +{more}
                </Avatar>
              )}
            </Avatar.Group>
            <ProjectMenu
              project={project}
              changes={changes}
              onRenamed={onChanged}
              onDeleted={onChanged}
              className={classes.menu}
            />
          </>
        )}
      </div>
    </li>
  );
}
