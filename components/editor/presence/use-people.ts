'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { personName } from '@/components/people/person-name';
import { readMembers } from '@/components/projects/project-calls';
import { joinPresence } from '@/hooks/join-presence';
import { loadBrowserClient } from '@/hooks/load-browser-client';
import { untilLoaded } from '@/hooks/until-loaded';
import { usePublicConfig } from '@/hooks/use-public-config';

/**
 * Someone else who has the document open. `email` is null for an administrator who is not a member of the project, and
 * for everyone until the members have been fetched.
 */
export type PresentPerson = {
  userId: string;
  email: string | null;
  name?: string | null;
  picture?: string | null;
};

export type People = {
  /** Everyone else who has the document open. */
  others: readonly PresentPerson[];
  /**
   * Returns a phrase for a user's changes, such as "changes by ada@example.com". A null `id` stands for an unknown
   * user.
   */
  changesOf: (id: string | null) => string;
  /** Returns a sentence such as "Ada Lovelace saved a newer version". A null `id` stands for an unknown user. */
  newerVersionBy: (id: string | null) => string;
};

const noKeys: readonly string[] = [];

/** Announces to others that this user has the document open, and returns everyone else who has it open. */
export function usePeople(projectId: string, documentId: string, userId: string): People {
  const config = usePublicConfig();
  const [present, setPresent] = useState(noKeys);
  useEffect(() => {
    let leave: (() => void) | undefined;
    const cancel = untilLoaded(
      () => loadBrowserClient(config),
      (client) => {
        leave = joinPresence(client, `document:${documentId}`, userId, setPresent);
      },
    );
    return () => {
      cancel();
      leave?.();
    };
  }, [config, documentId, userId]);
  const ids = present.filter((id) => id !== userId).sort();
  const someone = ids.join();
  // The query key contains the ids of the people present, so the members are fetched again when someone joins. That
  // person may be a new member.
  const { data: members } = useQuery({
    queryKey: ['members', projectId, someone],
    queryFn: ({ signal }) => readMembers(projectId, signal),
    enabled: someone !== '',
    placeholderData: (before) => before,
  });
  return useMemo(() => {
    const memberOf = new Map(members?.map((member) => [member.userId, member]));
    const nameOf = (id: string | null) => {
      const member = id === null ? undefined : memberOf.get(id);
      return member ? personName(member) : null;
    };
    const others = someone === '' ? [] : someone.split(',');
    return {
      others: others.map((id) => {
        const { email = null, name, picture } = memberOf.get(id) ?? {};
        return { userId: id, email, name, picture };
      }),
      changesOf: (id) => {
        if (id === userId) return 'your changes from another window';
        return `changes by ${nameOf(id) ?? 'another person'}`;
      },
      newerVersionBy: (id) =>
        id === userId
          ? 'You saved a newer version in another window'
          : `${nameOf(id) ?? 'Someone else'} saved a newer version`,
    };
  }, [members, someone, userId]);
}
