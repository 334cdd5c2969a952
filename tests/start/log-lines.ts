/** What a product has written to its log since it was started. */
export type LogLines = {
  add(line: string): void;
  /** All of it, as text. */
  text(): string;
  /** The lines that are of our log and not of somebody else's, with these values. */
  having(values: Record<string, unknown>): Record<string, unknown>[];
};

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the lines that a product writes, for `log` of `startAtelier`. */
export function collectLog(): LogLines {
  const lines: string[] = [];
  return {
    add: (line) => lines.push(line),
    text: () => lines.join('\n'),
    having: (values) =>
      lines
        .map(parsed)
        .filter((line) => line !== undefined)
        .filter((line) => Object.entries(values).every(([name, value]) => line[name] === value)),
  };
}
