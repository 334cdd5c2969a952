'use client';

import { Avatar, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { PersonAvatar } from '@/components/people/person-avatar';
import { personName } from '@/components/people/person-name';
import type { PresentPerson } from './use-people';

/** Maximum number of people to show; the rest are only counted. */
const MAX_SHOWN = 3;

/** Shows who else has the document open. Announces to screen readers when others join or leave. */
export function PresentPeople({ others }: { others: readonly PresentPerson[] }) {
  const [wasAlone, setWasAlone] = useState(true);
  if (wasAlone && others.length > 0) setWasAlone(false);
  const names = others.map(personName).join(', ');
  const more = others.slice(MAX_SHOWN);
  return (
    <>
      {others.length > 0 && (
        <Avatar.Group role="list" aria-label="Also in this document" spacing={6}>
          {others.slice(0, MAX_SHOWN).map((person) => (
            <Tooltip key={person.userId} label={personName(person)}>
              <PersonAvatar person={person} role="listitem" aria-label={personName(person)} size={24} />
            </Tooltip>
          ))}
          {more.length > 0 && (
            <Tooltip label={more.map(personName).join(', ')}>
              <Avatar role="listitem" aria-label={more.map(personName).join(', ')} size={24}>
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
