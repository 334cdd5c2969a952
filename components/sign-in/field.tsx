import type { ComponentProps, ReactNode } from 'react';
import classes from './field.module.css';

type FieldProps = ComponentProps<'input'> & {
  name: string;
  label: string;
  error: string | undefined;
  /** A button at the end of the field. */
  children?: ReactNode;
};

/** Renders a required input with its label and error. */
export function Field({ name, label, error, children, ...props }: FieldProps) {
  const errorId = `${name}-error`;
  return (
    <div>
      <label htmlFor={name} className={classes.label}>
        {label}
      </label>
      <div className={classes.frame}>
        <input
          {...props}
          id={name}
          name={name}
          required
          aria-invalid={error !== undefined}
          aria-describedby={error && errorId}
          className={classes.input}
        />
        {children}
      </div>
      {error && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
