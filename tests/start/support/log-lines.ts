/** The log of a product since its start. */
export type LogLines = {
  add(line: string): void;
  /** The whole log as text. */
  text(): string;
  /** The lines of our own log (not of other programs) with these values. */
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

/** Collects the lines of a product, for `log` of `startAtelier`. */
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
