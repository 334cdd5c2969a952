/** Thrown when an SVG has something that is not supported or not safe. The message is for the user. */
export class SvgRefusal extends Error {
  override name = 'SvgRefusal';
}
