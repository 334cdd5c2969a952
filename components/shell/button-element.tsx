import type { ComponentProps, MouseEvent } from 'react';

type ButtonElementProps = ComponentProps<'button'> & { 'data-loading'?: boolean; 'data-disabled'?: boolean };

function doNothing(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * Renders the element of every Mantine button. Mantine disables a button while it is loading, and a disabled button
 * loses the focus. This one stays enabled and ignores clicks instead.
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
