import type { PostgresConnection } from '@supabase/lite/postgres';

/**
 * The comment at the beginning of a statement that is prepared once per connection. Statements without it are parsed for
 * each call, because their number is unlimited.
 */
export const PREPARED = '/* prepared */';

/**
 * Saves round trips to Postgres, which take most of the time of a small request: sends BEGIN together with the
 * statement that follows it, and prepares the statements that are marked for it.
 */
export function saveRoundTrips({ driver }: PostgresConnection): void {
  const reserve = driver.reserve.bind(driver);
  driver.reserve = async () => {
    const reserved = await reserve();
    const unsafe = reserved.unsafe.bind(reserved);
    let begun: Promise<unknown> | null = null;
    return Object.assign(reserved, {
      unsafe: (text: string, parameters: Parameters<typeof unsafe>[1] = []) => {
        if (text === 'begin') {
          begun = unsafe(text).execute();
          // The next statement rejects with this error.
          begun.catch(() => {});
          return Promise.resolve([]);
        }
        const sent = unsafe(text, parameters, { prepare: text.startsWith(PREPARED) });
        if (begun === null) return sent;
        // Without a transaction, the role of the caller would not last until the statements after this one.
        const both = Promise.all([sent, begun]);
        begun = null;
        return both.then(([rows]) => rows);
      },
    });
  };
}
