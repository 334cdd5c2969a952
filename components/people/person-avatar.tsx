import { Avatar } from '@mantine/core';
import { initialsOf } from '@/components/format/initials';
import classes from './people.module.css';

type PersonAvatarProps = { email: string; name?: string | null; picture?: string | null; size?: number };

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
