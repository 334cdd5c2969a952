import type { ComponentProps, MouseEvent } from 'react';

type ButtonElementProps = ComponentProps<'button'> & { 'data-loading'?: boolean; 'data-disabled'?: boolean };

function doNothing(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * What a button is made of, whatever its look. Mantine disables one that loads, and the browser takes the focus from what
 * is disabled: here it keeps it, and only does nothing until it has loaded.
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
