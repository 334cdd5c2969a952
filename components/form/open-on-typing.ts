/**
 * Props of a searchable `Select` that opens when the user types or clicks, but not when it gets the focus.
 * `selectFirstOptionOnDropdownOpen` makes Enter choose the highlighted option. Without it, Mantine forgets the index of
 * that option right after it opens the dropdown, so Enter chooses nothing after a pasted name or a single letter.
 */
export const openOnTyping = {
  searchable: true,
  openOnFocus: false,
  selectFirstOptionOnDropdownOpen: true,
} as const;
