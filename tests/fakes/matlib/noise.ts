/** Smooth two-dimensional noise with values in [0, 1). */
export type Noise = (x: number, y: number) => number;

function latticeValue(x: number, y: number, seed: number): number {
  let mixed = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

const smooth = (t: number) => t * t * (3 - 2 * t);

export function createNoise(seed: number): Noise {
  return (x, y) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const across = smooth(x - left);
    const down = smooth(y - top);
    const upper = latticeValue(left, top, seed) * (1 - across) + latticeValue(left + 1, top, seed) * across;
    const lower =
      latticeValue(left, top + 1, seed) * (1 - across) + latticeValue(left + 1, top + 1, seed) * across;
    return upper * (1 - down) + lower * down;
  };
}

/** Returns the sum of three octaves of noise, for patterns such as clouds, stone and plaster. */
export function layered(noise: Noise): Noise {
  return (x, y) =>
    noise(x, y) * 0.55 + noise(x * 2.1 + 7, y * 2.1 + 3) * 0.3 + noise(x * 4.7, y * 4.7) * 0.15;
}

/**
 * Places one point at a pseudorandom position in each cell of a grid. The returned function finds the point nearest to
 * `x`, `y`. It returns the distance to that point, in cell widths, and a pseudorandom number in [0, 1) that is fixed
 * for the cell of that point.
 */
export function cells(seed: number): (x: number, y: number) => { distance: number; cell: number } {
  return (x, y) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    let distance = 9;
    let cell = 0;
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) {
        const name = latticeValue(column + dx, row + dy, seed);
        const far = Math.hypot(
          column + dx + name - x,
          row + dy + latticeValue(column + dx, row + dy, seed + 1) - y,
        );
        if (far < distance) [distance, cell] = [far, name];
      }
    }
    return { distance, cell };
  };
}
