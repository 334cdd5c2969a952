/** Thrown when an SVG cannot be accepted. The message is for the user. */
export class SvgRefusal extends Error {
  override name = 'SvgRefusal';
}
