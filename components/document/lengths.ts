/** Formats millimeters as a CSS length, rounded to a micrometer. */
export function mm(value: number): string {
  return `${Math.round(value * 1000) / 1000}mm`;
}

/** Formats points as a CSS length. */
export function pt(value: number): string {
  return `${value}pt`;
}
