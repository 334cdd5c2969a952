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
    return Object.assign(reserved, {
      unsafe: (text: string, parameters: Parameters<typeof unsafe>[1] = []) => {
        if (text !== 'begin') return unsafe(text, parameters, { prepare: text.startsWith(PREPARED) });
        // BEGIN fails only if the connection is lost, and then the next statement fails too.
        unsafe(text).catch(() => {});
        return Promise.resolve([]);
      },
    });
  };
}
