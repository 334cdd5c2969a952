import { notFound } from 'next/navigation';

/** Shows the not-found page for every URL that no other page has. With two root layouts, Next has none of its own. */
export default function UnknownPage() {
  notFound();
}
