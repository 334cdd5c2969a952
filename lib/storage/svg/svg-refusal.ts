/** Thrown when an SVG contains something unsupported or unsafe. The message is for the user. */
export class SvgRefusal extends Error {
  override name = 'SvgRefusal';
}
