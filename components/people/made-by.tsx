'use client';

import { useQuery } from '@tanstack/react-query';
import { RelativeTime } from '@/components/format/relative-time';
import { readMembers } from '@/components/projects/project-calls';
import classes from './people.module.css';
import { PersonAvatar } from './person-avatar';
import { personName } from './person-name';

const FRESH_MS = 60_000;

type MadeByProps = {
  projectId: string;
  /** Null if unknown. */
  userId: string | null;
  iso: string;
};

/**
 * Shows which member of a project made an image or a document version, and when. Shows only the time if the maker is
 * unknown or is not a member, for example because the maker has left the project.
 */
export function MadeBy({ projectId, userId, iso }: MadeByProps) {
  const { data: members } = useQuery({
    queryKey: ['members', projectId],
    queryFn: ({ signal }) => readMembers(projectId, signal),
    staleTime: FRESH_MS,
    enabled: userId !== null,
  });
  const member = members?.find((each) => each.userId === userId);
  return (
    <span className={classes.made}>
      {member && (
        <>
          <PersonAvatar person={member} size={22} />
          <span className={classes.maker} title={member.email}>
            {personName(member)}
          </span>
          <span aria-hidden="true">·</span>
        </>
      )}
      <RelativeTime iso={iso} style="narrow" />
    </span>
  );
}
