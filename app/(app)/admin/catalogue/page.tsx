import { SimpleGrid } from '@mantine/core';
import { NameList } from '@/components/catalogue/name-list';
import { PageHeading } from '@/components/shell/page-heading';
import { listCatalogue } from '@/lib/admin/queries';
import { requireAdmin } from '../require-admin';

export const metadata = { title: 'Brands and areas' };

/** Lists the brands and areas that specs can have. */
export default async function CataloguePage() {
  await requireAdmin('/admin/catalogue');
  const catalogue = await listCatalogue();
  return (
    <>
      <PageHeading
        title="Brands and areas"
        description="Every spec belongs to one brand and one type of area. Each name is unique, regardless of case."
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <NameList kind="brand" initial={catalogue} />
        <NameList kind="area" initial={catalogue} />
      </SimpleGrid>
    </>
  );
}
