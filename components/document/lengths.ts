/** Millimetres as CSS writes them, to the micrometre. */
export function mm(value: number): string {
  return `${Math.round(value * 1000) / 1000}mm`;
}

/** Type sizes in points as CSS writes them. */
export function pt(value: number): string {
  return `${value}pt`;
}
