'use client';

import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { describeError } from '@/components/feedback/describe-error';
import type { AccountLink, Person } from '@/lib/people/schema';
import { changePerson, createLink } from './people-calls';
import type { PersonAction } from './person-row';

type Options = {
  onLink: (email: string, link: AccountLink) => void;
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
    text: 'is signed out at once and cannot sign in. Access tokens stop working. Work and memberships stay.',
    confirm: 'Disable account',
  },
};

/**
 * Returns `start`, which runs an action on a person, and `busy`, the id of the person whose action is running. Asks for
 * confirmation before it changes the administrator role or disables an account.
 */
export function usePersonActions({ onLink, onDone, reload }: Options) {
  const [busy, setBusy] = useState<string | null>(null);

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
          break;
        case 'enable':
          await changePerson(id, { isDisabled: false });
          onDone(`${email} was enabled.`);
          break;
      }
    } catch (error) {
      notifications.show({ title: 'Nothing was changed', message: describeError(error), color: 'red' });
    } finally {
      await reload();
      setBusy(null);
    }
  };

  const start = (person: Person, action: PersonAction) => {
    const question = questions[action];
    if (!question) {
      void run(person, action);
      return;
    }
    askToConfirm({
      title: question.title,
      text: (
        <>
          <strong>{person.name ?? person.email}</strong> {question.text}
        </>
      ),
      action: question.confirm,
      isDangerous: action !== 'give-role',
      onConfirm: () => void run(person, action),
    });
  };

  return { busy, start };
}
