import type { PostgresConnection } from '@supabase/lite/postgres';

/**
 * SQL comment that marks a statement to be prepared once per connection. Other statements are parsed on every call,
 * because the number of distinct ones is unlimited.
 */
export const PREPARED = '/* prepared */';

/**
 * Saves round trips to Postgres, which take up most of the time of a small request. Sends BEGIN together with the
 * statement that follows it, and prepares statements that start with `PREPARED`.
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
          // Ignore the error here, because the next statement rejects with it.
          begun.catch(() => {});
          return Promise.resolve([]);
        }
        const sent = unsafe(text, parameters, { prepare: text.startsWith(PREPARED) });
        if (begun === null) return sent;
        // Reject if BEGIN failed. Without a transaction, the caller's role would not apply to later statements.
        const both = Promise.all([sent, begun]);
        begun = null;
        return both.then(([rows]) => rows);
      },
    });
  };
}
