import type { MapRole } from './schema';

// The library does not standardize the names of maps. These are the known names. Within a role, the most usual name
// comes first. `mapRoleOf` also returns `base_color` for a numbered color variant such as `col_01`, and `other` for any
// other name.
const byName: Record<string, MapRole> = {
  diffuse: 'base_color',
  diff: 'base_color',
  diff_png: 'base_color',
  color: 'base_color',
  albedo: 'base_color',
  diff_polar: 'base_color',
  nor_gl: 'normal_gl',
  normal_gl: 'normal_gl',
  nor_polar: 'normal_gl',
  nor_dx: 'normal_dx',
  normal_dx: 'normal_dx',
  rough: 'roughness',
  roughness: 'roughness',
  rough_ao: 'roughness',
  rough_diff: 'roughness',
  rough_polar: 'roughness',
  metal: 'metalness',
  metalness: 'metalness',
  ao: 'ao',
  displacement: 'displacement',
  disp: 'displacement',
  arm: 'arm',
  rma: 'rma',
  bump: 'bump',
  spec: 'specular',
  specular: 'specular',
  alpha: 'opacity',
  opacity: 'opacity',
  emission: 'emission',
  emissive: 'emission',
  translucent: 'translucency',
  translucency: 'translucency',
  hdri: 'environment',
  mask: 'mask',
};
const roles = new Map(Object.entries(byName));
const usualOrder = [...roles.keys()];
const variantOfColor = /^coll?_?\d{1,2}$/;

/** Returns the role of a texture map, given the library's name for the map. */
export function mapRoleOf(name: string): MapRole {
  const folded = name.toLowerCase();
  return roles.get(folded) ?? (variantOfColor.test(folded) ? 'base_color' : 'other');
}

/** Compares the names of maps with the same role, so that the more usual name comes first. */
export function byUsualName(a: string, b: string): number {
  const [rankA = 0, rankB = 0] = [a, b].map((name) => {
    const at = usualOrder.indexOf(name.toLowerCase());
    return at < 0 ? usualOrder.length : at;
  });
  return rankA - rankB || (a < b ? -1 : 1);
}
