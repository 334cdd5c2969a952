import { setTimeout as sleep } from 'node:timers/promises';
import { MaterialBrowser } from '@/components/materials/material-browser';
import { materialsHref, pageQuery, parseMaterialUrl, searchKey } from '@/components/materials/material-url';
import { PageHeading } from '@/components/shell/page-heading';
import type { PageQuery } from '@/lib/http/page-params';
import { parseInput } from '@/lib/http/parse';
import { getLibrary } from '@/lib/matlib/get-library';
import { type SearchResponse, searchQuery } from '@/lib/matlib/schema';
import { searchMaterials } from '@/lib/matlib/search-materials';
import { requireSignedIn } from '../../require-signed-in';

export const metadata = { title: 'Materials' };

type Props = { searchParams: Promise<PageQuery> };

/** Maximum time in milliseconds that the page waits for its first results before it lets the browser request them. */
const WAIT_MS = 500;

/** Returns the first page of search results, or null if the browser must request it. */
async function firstResults(key: string): Promise<SearchResponse | null> {
  const query = parseInput(searchQuery, Object.fromEntries(pageQuery(key, 0)));
  const found = searchMaterials(getLibrary(), query).then(
    ({ value }) => value,
    // If the search fails, the browser requests the results itself, so that it can show the error and retry.
    () => null,
  );
  return Promise.race([found, sleep(WAIT_MS, null)]);
}

/** Shows the material library to any signed-in user. */
export default async function MaterialsPage({ searchParams }: Props) {
  const url = parseMaterialUrl(await searchParams);
  await requireSignedIn(materialsHref(url));
  const key = searchKey(url);
  const response = await firstResults(key);
  return (
    <>
      <PageHeading
        title="Materials"
        description="Textures, environments and models. Add them to your tray to use them in any project."
      />
      <MaterialBrowser source={getLibrary().source} initial={response && { key, response }} />
    </>
  );
}
