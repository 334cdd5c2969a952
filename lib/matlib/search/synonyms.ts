// Words that people use for the same thing, in their compared form (singular). Each finds the others.
const groups = [
  ['asphalt', 'tarmac', 'bitumen', 'blacktop'],
  ['concrete', 'cement'],
  ['fabric', 'cloth', 'textile', 'upholstery'],
  ['couch', 'sofa', 'settee', 'upholstery'],
  ['carpet', 'rug'],
  ['wood', 'timber', 'lumber'],
  ['plank', 'board'],
  ['floor', 'flooring', 'parquet'],
  ['plaster', 'stucco', 'render'],
  ['rock', 'stone'],
  ['gravel', 'pebble', 'shingle'],
  ['tile', 'ceramic'],
  ['brick', 'masonry'],
  ['paving', 'pavement', 'paver', 'cobblestone'],
  ['soil', 'dirt', 'earth', 'mud'],
  ['metal', 'steel', 'iron'],
  ['rust', 'rusty', 'corroded'],
  ['old', 'worn', 'weathered', 'aged'],
  ['dirty', 'grimy', 'stained'],
  ['leather', 'hide'],
  ['roof', 'roofing', 'shingle'],
  ['wall', 'facade'],
  ['wallpaper', 'wallcovering'],
  ['sky', 'skies'],
  ['sunset', 'dusk', 'sundown'],
  ['sunrise', 'dawn'],
  ['lamp', 'light', 'lantern'],
  ['chair', 'seat', 'seating'],
  ['cupboard', 'cabinet', 'wardrobe'],
  ['grey', 'gray'],
  ['indoor', 'interior'],
  ['outdoor', 'exterior'],
  ['terrazzo', 'speckled'],
  ['grass', 'lawn', 'turf'],
];

const table = new Map<string, Set<string>>();
for (const group of groups) {
  for (const word of group) {
    const known = table.get(word) ?? new Set();
    for (const other of group) if (other !== word) known.add(other);
    table.set(word, known);
  }
}

/** Other words for a compared word. */
export function synonymsOf(word: string): string[] {
  return [...(table.get(word) ?? [])];
}
