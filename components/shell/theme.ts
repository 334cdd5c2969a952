'use client';

import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { ButtonElement } from './button-element';

const aubergine: MantineColorsTuple = [
  '#f9f1f6',
  '#eedfe9',
  '#dcbcd2',
  '#ca97ba',
  '#bb79a6',
  '#b06599',
  '#a0528a',
  '#824072',
  '#6b345e',
  '#552a4b',
];

const stone: MantineColorsTuple = [
  '#faf9f8',
  '#f3f1ef',
  '#e9e5e2',
  '#dcd7d3',
  '#c9c2be',
  '#a9a19d',
  '#6f6663',
  '#5c5453',
  '#443d3d',
  '#2b2627',
];

const night: MantineColorsTuple = [
  '#d6d0d7',
  '#bfb8c1',
  '#aaa2ab',
  '#746c76',
  '#463f47',
  '#393239',
  '#29242a',
  '#1e1b1f',
  '#181519',
  '#121013',
];

// Mantine's red and yellow have too little contrast for text.
const red: MantineColorsTuple = [
  '#fdeaea',
  '#fad2d2',
  '#f3a9a9',
  '#ec7d7d',
  '#e25a5a',
  '#d64141',
  '#c22f2f',
  '#b42323',
  '#9b1c1c',
  '#7d1515',
];

const yellow: MantineColorsTuple = [
  '#fdf4e0',
  '#f8e6bd',
  '#f0cf86',
  '#e8b95a',
  '#d9a441',
  '#b98320',
  '#96650d',
  '#7a4b00',
  '#633d00',
  '#4a2d00',
];

const dialogHeader = { header: { role: 'presentation' } };
const closeButton = { 'aria-label': 'Close' };

// The variables come from `app/fonts.ts`. The extended fonts apply only to the characters that they contain. They are
// listed first, because `--font-sans` and `--font-serif` include a fallback font that applies to all characters.
const sans = 'var(--font-sans-extended), var(--font-sans), system-ui, sans-serif';
const serif = 'var(--font-serif-extended), var(--font-serif), Georgia, serif';

/** Atelier's theme: one accent color, warm neutrals, serif titles and a sans-serif text font. */
export const theme = createTheme({
  colors: { aubergine, red, yellow, gray: stone, dark: night },
  primaryColor: 'aubergine',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: sans,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontFamily: serif,
    fontWeight: '500',
    sizes: { h1: { fontSize: '2rem', lineHeight: '1.2' }, h2: { fontSize: '1.35rem', lineHeight: '1.3' } },
  },
  components: {
    Button: { defaultProps: { component: ButtonElement } },
    ActionIcon: { defaultProps: { component: ButtonElement } },
    Paper: { defaultProps: { radius: 'lg' } },
    // Omit the focus placeholder, which is not an allowed child of `role="menu"`.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Select: { defaultProps: { selectFirstOptionOnChange: true } },
    // Use the text font for key labels, because each system has a different monospace font.
    Kbd: { defaultProps: { ff: 'text' } },
    // Without `dialogHeader`, the `<header>` of a dialog would be a second banner landmark.
    // Dialogs are not centered vertically, because a centered dialog moves its buttons under the pointer when its content
    // loads.
    Modal: { defaultProps: { radius: 'lg', attributes: dialogHeader } },
    Drawer: { defaultProps: { attributes: dialogHeader } },
    ModalCloseButton: { defaultProps: closeButton },
    DrawerCloseButton: { defaultProps: closeButton },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true }, withArrow: true } },
  },
});

/**
 * Overrides Mantine's shades that have too little contrast on Atelier's backgrounds or are almost white in the dark
 * theme.
 */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-error': '#b42323' },
  dark: {
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-red-light-color': '#ff9d94',
    '--mantine-color-aubergine-light-color': '#dcbcd2',
  },
});
