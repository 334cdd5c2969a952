/** The log lines of a running Atelier since its start. */
export type LogLines = {
  add(line: string): void;
  /** Returns the entire log as text. */
  text(): string;
  /**
   * Returns the parsed JSON lines whose fields have these values. Ignores other lines, such as the plain-text output of
   * other programs.
   */
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
