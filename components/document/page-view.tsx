import { cjkLanguage } from '@/lib/document/font-families';
import type { DocumentImages } from '@/lib/document/page-model';
import type { PageSheet } from '@/lib/document/sheets';
import { ElementView } from './element-view';
import { mm } from './lengths';
import { MasterView } from './master-view';

type PageViewProps = { sheet: PageSheet; number: number; images: DocumentImages };

/**
 * Renders the contents of a page, unscaled. The parent must be positioned and have the size of the page. Like the
 * master, the footer is hidden from screen readers and becomes an artifact in the PDF.
 */
export function PageView({ sheet, number, images }: PageViewProps) {
  const { page, master, title, footer } = sheet;
  return (
    <>
      {master && <MasterView master={master} images={images} />}
      {page.elements.map((element) => (
        <ElementView key={element.id} element={element} images={images} />
      ))}
      {footer.hasTitle && (
        <p
          aria-hidden="true"
          className="doc-folio doc-folio-title"
          dir="auto"
          lang={cjkLanguage(title)}
          style={{ left: mm(footer.margin) }}
        >
          {title}
        </p>
      )}
      {footer.hasNumber && (
        <p aria-hidden="true" className="doc-folio doc-folio-number" style={{ right: mm(footer.margin) }}>
          {number}
        </p>
      )}
    </>
  );
}
