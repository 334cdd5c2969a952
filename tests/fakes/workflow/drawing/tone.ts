type Row = [number, number, number];
type Matrix = [Row, Row, Row];

const LUMINANCE: Row = [0.213, 0.715, 0.072];
const TURN: Matrix = [
  [-0.213, -0.715, 0.928],
  [0.143, 0.14, -0.283],
  [-0.787, 0.715, 0.072],
];

/**
 * Returns a color matrix, as defined by CSS filters, that scales brightness and saturation (1 keeps them) and rotates
 * the hue by the given degrees. Applying it is much faster than sharp's `modulate`, which converts the image to LCH.
 */
export function toneMatrix(brightness: number, saturation: number, degrees: number): Matrix {
  const angle = (degrees / 180) * Math.PI;
  const [cos, sin] = [Math.cos(angle) * saturation, Math.sin(angle) * saturation];
  const cell = (row: 0 | 1 | 2, column: 0 | 1 | 2) => {
    const grey = LUMINANCE[column];
    const own = Number(row === column);
    return brightness * (grey + cos * (own - grey) + sin * TURN[row][column]);
  };
  const row = (index: 0 | 1 | 2): Row => [cell(index, 0), cell(index, 1), cell(index, 2)];
  return [row(0), row(1), row(2)];
}
