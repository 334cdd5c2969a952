import classes from './wordmark.module.css';

/** Shows the logo and product name. */
export function Logo() {
  return (
    <>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" className={classes.ground} />
        <path d="M8.5 24 15 8h2l6.5 16" className={classes.stroke} />
        <path d="M11.5 18.5h9" className={classes.bar} />
      </svg>
      <span>Atelier</span>
    </>
  );
}
