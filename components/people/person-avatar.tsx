import { Avatar } from '@mantine/core';
import classes from './people.module.css';

type PersonAvatarProps = { email: string; name?: string | null; picture?: string | null; size?: number };

/** Returns the first letters of the first two words, or the first two letters of a single word. */
function initialsOf(name: string): string {
  const [first = '', second] = name.split(/\s+/);
  const letters = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2);
  return letters.join('').toUpperCase();
}

/** Shows the picture of a person, or else the initials. Decorative, because the name or address is next to it. */
export function PersonAvatar({ email, name, picture, size = 32 }: PersonAvatarProps) {
  const shown = name ?? email.replace(/@.*/, '').replace(/[._+-]+/g, ' ');
  return (
    <Avatar src={picture ?? null} name={shown} size={size} color="initials" alt="" aria-hidden="true">
      {/* Not text, which the label of a button with an avatar would have to repeat. */}
      <span className={classes.initials} data-initials={initialsOf(shown)} />
    </Avatar>
  );
}
