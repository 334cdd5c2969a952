import { matching, nameKey } from '@/components/catalogue/matching-names';

/** The value of the option that adds a name. A name has no control characters, so it cannot be this value. */
export const ADD = '\u0000add';
/** Maximum number of names listed at once; typing finds the others. */
const LISTED = 100;

/**
 * Returns the options of a `NamePicker`: up to `LISTED` names that contain `typed`, and an option to add `typed` if it
 * is new.
 */
export function nameOptions(names: string[], typed: string): { value: string; label: string }[] {
  const isTyped = (name: string) => nameKey(name) === nameKey(typed);
  // The typed name comes first, so that the limit never leaves it out.
  const same = names.filter(isTyped);
  const others = matching(names, typed).filter((name) => !isTyped(name));
  const listed = [...same, ...others].slice(0, LISTED).map((name) => ({ value: name, label: name }));
  const isNew = typed.trim() !== '' && same.length === 0;
  return isNew ? [...listed, { value: ADD, label: `Add “${typed.trim()}”` }] : listed;
}
