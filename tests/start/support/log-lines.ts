/** The log of a running Atelier since its start. */
export type LogLines = {
  add(line: string): void;
  /** The whole log as text. */
  text(): string;
  /** Returns the lines of the product's own log (not of other programs) that have these values. */
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

/** Creates a collector of a product's log lines; pass its `add` as `log` to `startAtelier`. */
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
