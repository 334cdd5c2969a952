import type { ComponentProps, MouseEvent } from 'react';

type ButtonElementProps = ComponentProps<'button'> & { 'data-loading'?: boolean; 'data-disabled'?: boolean };

function doNothing(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * Renders the `<button>` of Mantine's `Button` and `ActionIcon`. Mantine disables a button while it is loading, and a
 * disabled button loses focus. This element instead stays enabled while it is loading, and ignores clicks.
 */
export function ButtonElement({ type = 'button', disabled, onClick, ...props }: ButtonElementProps) {
  const waits = props['data-loading'] === true && !props['data-disabled'];
  return (
    <button
      {...props}
      type={type}
      disabled={disabled && !waits}
      onClick={waits ? doNothing : onClick}
      {...(waits && { 'aria-busy': true, 'aria-disabled': true })}
    />
  );
}
