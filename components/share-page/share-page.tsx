import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '@/components/shell/logo';
import classes from './share-page.module.css';

/** Renders the page that visitors of a share link see: a title, the content and a small wordmark. */
export function SharePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.page}>
      <header>
        <Title order={1} className={classes.title}>
          {title}
        </Title>
      </header>
      <main>{children}</main>
      <footer className={classes.footer}>
        <span className={classes.wordmark}>
          <Logo />
        </span>
      </footer>
    </div>
  );
}
