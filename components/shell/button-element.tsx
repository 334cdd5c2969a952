import type { ComponentProps, MouseEvent } from 'react';

type ButtonElementProps = ComponentProps<'button'> & { 'data-loading'?: boolean; 'data-disabled'?: boolean };

function doNothing(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * The element behind every button. Mantine disables a loading button, and a disabled button loses the focus. This one
 * stays enabled and ignores clicks while it loads.
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
