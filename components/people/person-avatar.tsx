import { Avatar } from '@mantine/core';

type PersonAvatarProps = { email: string; name?: string | null; picture?: string | null; size?: number };

/** Shows the picture of a person, or else the initials. Decorative, because the name or address is next to it. */
export function PersonAvatar({ email, name, picture, size = 32 }: PersonAvatarProps) {
  return (
    <Avatar
      src={picture ?? null}
      name={name ?? email.replace(/@.*/, '').replace(/[._+-]+/g, ' ')}
      size={size}
      color="initials"
      alt=""
      aria-hidden="true"
    />
  );
}
