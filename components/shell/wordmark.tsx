import { Link } from './link';
import { Logo } from './logo';
import classes from './wordmark.module.css';

/** Shows the logo and product name, linked to the home page. */
export function Wordmark() {
  return (
    <Link href="/" className={classes.wordmark}>
      <Logo />
    </Link>
  );
}
