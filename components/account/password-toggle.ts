/** The button in a password field that shows what was typed, reachable by keyboard. */
export const passwordToggle = { 'aria-label': 'Show or hide password', tabIndex: 0 };
