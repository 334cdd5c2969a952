'use client';

import { Avatar, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { initialsOf } from '@/components/format/initials';
import type { Person } from './use-people';

/** How many people are shown with their initials; any others are only counted. */
const MAX_SHOWN = 3;

const nameOf = ({ email }: Person) => email ?? 'Another person';

/** Shows who else has the document open. Announces to screen readers when others join or leave. */
export function PresentPeople({ others }: { others: readonly Person[] }) {
  const [wasAlone, setWasAlone] = useState(true);
  if (wasAlone && others.length > 0) setWasAlone(false);
  const names = others.map(nameOf).join(', ');
  const more = others.slice(MAX_SHOWN);
  return (
    <>
      {others.length > 0 && (
        <Avatar.Group role="list" aria-label="Also in this document" spacing={6}>
          {others.slice(0, MAX_SHOWN).map((person) => (
            <Tooltip key={person.userId} label={nameOf(person)}>
              <Avatar
                role="listitem"
                aria-label={nameOf(person)}
                size={24}
                color="aubergine"
                variant="filled"
              >
                {initialsOf(person.email)}
              </Avatar>
            </Tooltip>
          ))}
          {more.length > 0 && (
            <Tooltip label={more.map(nameOf).join(', ')}>
              <Avatar role="listitem" aria-label={more.map(nameOf).join(', ')} size={24}>
                +{more.length}
              </Avatar>
            </Tooltip>
          )}
        </Avatar.Group>
      )}
      <Announcer
        text={
          others.length > 0
            ? `Also in this document: ${names}`
            : wasAlone
              ? ''
              : 'No one else has this document open.'
        }
      />
    </>
  );
}
