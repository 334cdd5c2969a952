import { Avatar } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { initialsOf } from '@/components/format/initials';
import classes from './people.module.css';

type PersonAvatarProps = Omit<ComponentPropsWithRef<'div'>, 'color'> & {
  /** `email` is null if it is unknown. */
  person: { email: string | null; name?: string | null; picture?: string | null };
  size?: number;
};

/**
 * Shows a person's picture or, if there is no picture, the person's initials. The avatar is decorative unless it has an
 * `aria-label`, because the person's name or address is usually next to it.
 */
export function PersonAvatar({ person, size = 32, ...rest }: PersonAvatarProps) {
  const { email, name, picture } = person;
  const shown = name ?? (email ?? '').replace(/@.*/, '').replace(/[._+-]+/g, ' ');
  return (
    <Avatar
      src={picture ?? null}
      name={shown}
      size={size}
      color="initials"
      alt=""
      aria-hidden={rest['aria-label'] === undefined}
      {...rest}
    >
      {/* CSS renders the initials. If they were text, they would be part of the visible text of each button with an
          avatar, and the label of the button would have to contain them. */}
      <span className={classes.initials} data-initials={initialsOf(shown)} />
    </Avatar>
  );
}
