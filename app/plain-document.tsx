import './global.css';
import './plain-document.css';
import type { ReactNode } from 'react';
import { SystemColorScheme } from '@/components/shell/system-color-scheme';
import { HtmlDocument } from './html-document';

/**
 * Renders the HTML document of a page that uses no Mantine styles and only one Mantine component, the color scheme
 * script. The page follows the color scheme that the user chose on other pages, or else the system's.
 * `plain-document.css` has the values of the theme that such pages need.
 */
export function PlainDocument({ children }: { children: ReactNode }) {
  return (
    <HtmlDocument>
      <SystemColorScheme />
      {children}
    </HtmlDocument>
  );
}
