/** Formats millimeters as a CSS length, rounded to a micrometer. */
export function mm(value: number): string {
  return `${Math.round(value * 1000) / 1000}mm`;
}

/** Formats points as a CSS length. */
export function pt(value: number): string {
  return `${value}pt`;
}

type Box = { left: number; top: number; width: number; height: number };
/** Width and height of a box before scaling: a whole number of pixels, which browsers do not round. */
const SIDE_PX = 1000;
const MM_PER_PX = 25.4 / 96;

/**
 * Returns the styles of an absolutely positioned box with an exact size in millimeters. Browsers round the edges of
 * boxes to whole pixels, which are a quarter of a millimeter in print, but they do not round transforms.
 */
export function exactBox({ left, top, width, height }: Box) {
  const side = SIDE_PX * MM_PER_PX;
  return {
    position: 'absolute' as const,
    left: 0,
    top: 0,
    width: `${SIDE_PX}px`,
    height: `${SIDE_PX}px`,
    transformOrigin: '0 0',
    transform: `translate(${mm(left)}, ${mm(top)}) scale(${width / side}, ${height / side})`,
  };
}
