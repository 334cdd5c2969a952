import { MaterialBrowser } from '@/components/materials/material-browser';
import { materialsHref, parseMaterialUrl } from '@/components/materials/material-url';
import { PageHeading } from '@/components/shell/page-heading';
import { getLibrary } from '@/lib/matlib/get-library';
import { requireSignedIn } from '../../require-signed-in';

export const metadata = { title: 'Materials' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Shows the material library to any signed-in user. */
export default async function MaterialsPage({ searchParams }: Props) {
  await requireSignedIn(materialsHref(parseMaterialUrl(await searchParams)));
  return (
    <>
      <PageHeading
        title="Materials"
        description="Textures, environments and models. Add them to your tray to use them in any project."
      />
      <MaterialBrowser source={getLibrary().source} />
    </>
  );
}
