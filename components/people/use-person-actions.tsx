'use client';

import { Text } from '@mantine/core';
import { useState } from 'react';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { showError } from '@/components/feedback/show-error';
import { readServiceTokens } from '@/components/tokens/token-calls';
import type { AccountLink, Person } from '@/lib/people/schema';
import { changePerson, createLink } from './people-calls';
import type { PersonAction } from './person-row';
import type { ServiceTokens } from './service-tokens-dialog';

type Options = {
  onLink: (email: string, link: AccountLink) => void;
  /** Called after a person was disabled who created service tokens that are still valid. */
  onServiceTokens: (left: ServiceTokens) => void;
  onDone: (text: string) => void;
  reload: () => Promise<unknown>;
};

const questions: Partial<Record<PersonAction, { title: string; text: string; confirm: string }>> = {
  'give-role': {
    title: 'Make administrator?',
    text: 'can manage people, specs, brands and the workflow, and sees every project. The role applies at the next sign-in.',
    confirm: 'Make administrator',
  },
  'take-role': {
    title: 'Remove administrator role?',
    text: 'loses the rights of an administrator at once.',
    confirm: 'Remove role',
  },
  disable: {
    title: 'Disable this account?',
    text: 'is signed out at once and cannot sign in. Their own access tokens stop working. Work and memberships stay.',
    confirm: 'Disable account',
  },
};

function serviceNote(count: number): string | null {
  if (count === 0) return null;
  return count === 1
    ? 'One service token that this person created stays valid. You can revoke it in the next step.'
    : `${count} service tokens that this person created stay valid. You can revoke them in the next step.`;
}

/**
 * Returns `start`, which runs an action on a person, and `busy`, the id of the person whose action is running. Asks for
 * confirmation before it changes the administrator role or disables an account.
 */
export function usePersonActions({ onLink, onServiceTokens, onDone, reload }: Options) {
  const [busy, setBusy] = useState<string | null>(null);

  const offerServiceTokens = async (person: Person) => {
    try {
      const tokens = await readServiceTokens(person.id);
      if (tokens.length > 0) onServiceTokens({ person, tokens });
    } catch (error) {
      showError("Couldn't list the service tokens of this person", error);
    }
  };

  const run = async (person: Person, action: PersonAction) => {
    const { id, email } = person;
    setBusy(id);
    try {
      switch (action) {
        case 'send':
        case 'copy':
          onLink(email, await createLink(id, action === 'copy'));
          break;
        case 'give-role':
          await changePerson(id, { isAdmin: true });
          onDone(`${email} is now an administrator.`);
          break;
        case 'take-role':
          await changePerson(id, { isAdmin: false });
          onDone(`${email} is no longer an administrator.`);
          break;
        case 'disable':
          await changePerson(id, { isDisabled: true });
          onDone(`${email} was disabled.`);
          await offerServiceTokens(person);
          break;
        case 'enable':
          await changePerson(id, { isDisabled: false });
          onDone(`${email} was enabled.`);
          break;
      }
    } catch (error) {
      showError('Nothing was changed', error);
    } finally {
      await reload();
      setBusy(null);
    }
  };

  /** Returns how many service tokens stay valid when the person is disabled, or null if the request fails. */
  const countServiceTokens = async ({ id }: Person) => {
    setBusy(id);
    try {
      return (await readServiceTokens(id)).length;
    } catch (error) {
      showError('Nothing was changed', error);
      return null;
    } finally {
      setBusy(null);
    }
  };

  const start = async (person: Person, action: PersonAction) => {
    const question = questions[action];
    if (!question) return run(person, action);
    const count = action === 'disable' ? await countServiceTokens(person) : 0;
    if (count === null) return;
    const note = serviceNote(count);
    askToConfirm({
      title: question.title,
      text: (
        <>
          <strong>{person.name ?? person.email}</strong> {question.text}
          {note && (
            <Text span inherit display="block" mt="sm">
              {note}
            </Text>
          )}
        </>
      ),
      action: question.confirm,
      isDangerous: action !== 'give-role',
      onConfirm: () => void run(person, action),
    });
  };

  return { busy, start };
}
