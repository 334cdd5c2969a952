import { Drawer, MantineProvider, Modal } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { theme } from '@/components/shell/theme';

const dialog = { opened: true, onClose: () => undefined, withinPortal: false };

test.each([
  ['dialog', (closeButtonProps?: object) => createElement(Modal, { ...dialog, closeButtonProps })],
  ['drawer', (closeButtonProps?: object) => createElement(Drawer, { ...dialog, closeButtonProps })],
])('the close button of a %s has a name, which can be replaced', (_, elementOf) => {
  const htmlOf = (closeButtonProps?: object) =>
    renderToStaticMarkup(createElement(MantineProvider, { theme }, elementOf(closeButtonProps)));
  expect(htmlOf()).toContain('aria-label="Close"');
  expect(htmlOf({ disabled: true })).toContain('aria-label="Close"');
  expect(htmlOf({ 'aria-label': 'Decide later' })).toContain('aria-label="Decide later"');
});
