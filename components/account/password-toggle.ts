/** Props of the button that shows or hides a password. The `tabIndex` makes it reachable by keyboard. */
export const passwordToggle = { 'aria-label': 'Show or hide password', tabIndex: 0 };
