/** A name without regard to case, width and accents: how people type when they look for one. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** The names that contain what was typed, in their order; all of them when nothing was. */
export function matching(names: string[], typed: string): string[] {
  const wanted = folded(typed);
  return wanted === '' ? names : names.filter((name) => folded(name).includes(wanted));
}
