import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PersonAvatar } from '@/components/people/person-avatar';

test('the fields of a member do not become HTML attributes of the avatar', () => {
  const person = {
    userId: 'ada',
    email: 'ada@atelier.test',
    role: 'owner',
    createdAt: '2026-01-01T00:00:00Z',
  };
  const html = renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(PersonAvatar, { person })),
  );
  expect(html).toContain('data-initials="AD"');
  expect(html).not.toMatch(/ (userId|role|createdAt|email)=/i);
});
