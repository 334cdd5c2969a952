import type { DocumentImages, PageData } from '@/lib/document/page-model';
import { ElementView } from './element-view';

/**
 * Renders the master of a sheet. The sheet can be a page, the cover or a contents sheet. The master is hidden from
 * screen readers, because they would read it again on every sheet. In the PDF, it becomes an artifact.
 */
export function MasterView({ master, images }: { master: PageData; images: DocumentImages }) {
  return (
    <div className="doc-master" data-page={master.id} aria-hidden="true">
      {master.elements.map((element) => (
        <ElementView key={element.id} element={element} images={images} />
      ))}
    </div>
  );
}
