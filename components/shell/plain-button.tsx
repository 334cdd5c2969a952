import classes from './plain-button.module.css';

type PlainButtonProps = { children: string; isSecondary?: boolean } & (
  | { href: string }
  | { onClick: () => void }
);

/** Renders a button or a link that looks like Mantine's button, for pages that do not load Mantine. */
export function PlainButton({ children, isSecondary = false, ...action }: PlainButtonProps) {
  const className = `${classes.button} ${isSecondary ? classes.secondary : ''}`;
  if ('href' in action) {
    return (
      <a href={action.href} className={className}>
        {children}
      </a>
    );
  }
  return (
    <button type="button" onClick={action.onClick} className={className}>
      {children}
    </button>
  );
}
