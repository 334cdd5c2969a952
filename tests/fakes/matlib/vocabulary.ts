/** The pattern of a surface. */
export type Style =
  | 'grain'
  | 'planks'
  | 'veins'
  | 'speckle'
  | 'chips'
  | 'clouds'
  | 'bricks'
  | 'tiles'
  | 'weave'
  | 'brushed'
  | 'pebbles'
  | 'strands';

/**
 * A kind of material. `tones` maps color words to colors, `nouns` maps surface names to patterns, and `words` are
 * further tags.
 */
export type Material = {
  name: string;
  categories: string[];
  tones: Record<string, string>;
  nouns: Record<string, Style>;
  words: string[];
};

const dyes = {
  cream: '#e9dfc8',
  charcoal: '#3a3b3e',
  rust: '#a5532e',
  sage: '#8b9b7c',
  navy: '#2b3a5e',
  mustard: '#c99a34',
  blush: '#d8a39c',
  plum: '#5f3a5c',
  emerald: '#2c6b50',
  sky: '#8fb0cf',
  scarlet: '#a82c2c',
  grey: '#9a9a98',
};

export const materials: Material[] = [
  {
    name: 'Wood',
    categories: ['wood', 'natural'],
    tones: {
      oak: '#b98f5e',
      walnut: '#5d3d28',
      pine: '#d8b27d',
      ash: '#cdb998',
      teak: '#8d5c33',
      cherry: '#8a4a2f',
      ebony: '#2c231e',
      birch: '#e0cda8',
    },
    nouns: { planks: 'planks', floor: 'planks', parquet: 'planks', veneer: 'grain', boards: 'planks' },
    words: ['timber', 'grain', 'flooring', 'panel'],
  },
  {
    name: 'Marble',
    categories: ['marble', 'rock', 'clean'],
    tones: {
      carrara: '#e6e5e1',
      nero: '#222225',
      verde: '#40604c',
      rosso: '#7f3b33',
      calacatta: '#efe9db',
      emperador: '#5b4134',
      azul: '#7c93ad',
    },
    nouns: { slab: 'veins', tiles: 'tiles', floor: 'tiles', wall: 'veins' },
    words: ['polished', 'vein', 'stone', 'luxury'],
  },
  {
    name: 'Granite',
    categories: ['rock', 'natural'],
    tones: { grey: '#8c8b89', black: '#2d2d2f', pink: '#b98f88', beige: '#c4b59b' },
    nouns: { slab: 'speckle', worktop: 'speckle', paving: 'tiles' },
    words: ['speckled', 'stone', 'kitchen'],
  },
  {
    name: 'Terrazzo',
    categories: ['floor', 'terrazzo', 'clean'],
    tones: { white: '#e9e6df', blush: '#d9b0a5', sage: '#9fb09a', grey: '#a5a5a3', ochre: '#c79a55' },
    nouns: { floor: 'chips', tiles: 'chips', slab: 'chips' },
    words: ['chips', 'speckled', 'retro'],
  },
  {
    name: 'Concrete',
    categories: ['concrete', 'man made'],
    tones: { light: '#b9b8b4', dark: '#5d5d5c', warm: '#a79f92', blue: '#8b939b' },
    nouns: { wall: 'clouds', floor: 'clouds', panels: 'tiles', slab: 'clouds' },
    words: ['cement', 'formwork', 'brutalist', 'smooth'],
  },
  {
    name: 'Plaster',
    categories: ['plaster', 'wall', 'man made'],
    tones: { white: '#ebe8e1', ochre: '#d0a768', terracotta: '#bf7654', sage: '#a3ae94', blue: '#8aa3b8' },
    nouns: { wall: 'clouds', stucco: 'clouds', facade: 'clouds' },
    words: ['stucco', 'paint', 'trowel', 'lime'],
  },
  {
    name: 'Brick',
    categories: ['brick', 'wall', 'man made'],
    tones: { red: '#93462f', yellow: '#c3a066', white: '#dad5cb', grey: '#7d7a76', brown: '#6d4936' },
    nouns: { wall: 'bricks', paving: 'bricks', facade: 'bricks' },
    words: ['masonry', 'mortar', 'clay'],
  },
  {
    name: 'Ceramic',
    categories: ['tiles', 'man made', 'clean'],
    tones: {
      teal: '#2f8a87',
      cobalt: '#2f5aa6',
      white: '#eceae5',
      pink: '#d69aa6',
      green: '#4f8a58',
      yellow: '#d9b53f',
      violet: '#7a5aa0',
    },
    nouns: { tiles: 'tiles', mosaic: 'tiles', splashback: 'tiles' },
    words: ['glazed', 'bathroom', 'kitchen', 'grout'],
  },
  {
    name: 'Linen',
    categories: ['fabric', 'natural', 'indoor'],
    tones: dyes,
    nouns: { fabric: 'weave', upholstery: 'weave', curtain: 'weave' },
    words: ['cloth', 'textile', 'woven', 'soft'],
  },
  {
    name: 'Wool',
    categories: ['fabric', 'natural', 'indoor'],
    tones: dyes,
    nouns: { fabric: 'weave', carpet: 'strands', rug: 'strands', tweed: 'weave' },
    words: ['cloth', 'textile', 'warm', 'soft'],
  },
  {
    name: 'Velvet',
    categories: ['fabric', 'indoor', 'clean'],
    tones: dyes,
    nouns: { fabric: 'strands', upholstery: 'strands' },
    words: ['cloth', 'textile', 'plush', 'sofa'],
  },
  {
    name: 'Leather',
    categories: ['leather', 'indoor'],
    tones: {
      cognac: '#a3602e',
      black: '#26242a',
      brown: '#5e3a27',
      red: '#8a2a28',
      green: '#3c5540',
      white: '#e4ded3',
    },
    nouns: { upholstery: 'pebbles', hide: 'pebbles', panel: 'pebbles' },
    words: ['hide', 'sofa', 'stitch', 'smooth'],
  },
  {
    name: 'Metal',
    categories: ['metal', 'man made'],
    tones: { steel: '#9ba0a5', copper: '#b5714c', brass: '#bd9a54', bronze: '#77583a', black: '#2f3133' },
    nouns: { sheet: 'brushed', plate: 'brushed', panel: 'brushed', grate: 'tiles' },
    words: ['brushed', 'industrial', 'shiny'],
  },
  {
    name: 'Rusty Metal',
    categories: ['metal', 'dirty', 'outdoor'],
    tones: { orange: '#a4592c', brown: '#6b4029', dark: '#45312a' },
    nouns: { sheet: 'clouds', plate: 'clouds', wall: 'clouds' },
    words: ['corroded', 'corten', 'old'],
  },
  {
    name: 'Rock',
    categories: ['rock', 'natural', 'outdoor'],
    tones: {
      grey: '#807d79',
      sandstone: '#c2a078',
      basalt: '#45464a',
      slate: '#5b656e',
      limestone: '#cfc5b0',
    },
    nouns: { face: 'clouds', wall: 'pebbles', ground: 'pebbles' },
    words: ['stone', 'cliff', 'rough'],
  },
  {
    name: 'Gravel',
    categories: ['gravel', 'floor', 'outdoor', 'natural'],
    tones: { grey: '#8f8d89', beige: '#c0ae90', dark: '#55534f', white: '#d8d5cd' },
    nouns: { ground: 'pebbles', path: 'pebbles', driveway: 'pebbles' },
    words: ['pebbles', 'garden', 'stones'],
  },
  {
    name: 'Asphalt',
    categories: ['asphalt', 'floor', 'outdoor', 'man made'],
    tones: { dark: '#3d3d3f', grey: '#6c6c6d', wet: '#2a2c30' },
    nouns: { road: 'speckle', track: 'speckle', pavement: 'speckle' },
    words: ['street', 'road', 'tarred'],
  },
  {
    name: 'Sand',
    categories: ['sand', 'terrain', 'outdoor', 'natural'],
    tones: { beige: '#d6c197', red: '#b0683f', white: '#e8dfca', dark: '#77695a' },
    nouns: { beach: 'clouds', dune: 'grain', ground: 'speckle' },
    words: ['beach', 'desert', 'ripples'],
  },
  {
    name: 'Soil',
    categories: ['terrain', 'dirty', 'outdoor', 'natural'],
    tones: { brown: '#5f4632', red: '#8b4d33', dark: '#372b22', dry: '#a08463' },
    nouns: { ground: 'clouds', mud: 'clouds', field: 'speckle' },
    words: ['dirt', 'earth', 'farm'],
  },
  {
    name: 'Grass',
    categories: ['grass', 'terrain', 'outdoor', 'natural'],
    tones: { green: '#5c7d38', dry: '#a99f62', dark: '#33502b' },
    nouns: { lawn: 'strands', meadow: 'strands', field: 'strands' },
    words: ['garden', 'turf', 'plants'],
  },
  {
    name: 'Snow',
    categories: ['snow', 'terrain', 'outdoor', 'natural'],
    tones: { fresh: '#edf1f5', blue: '#c6d6e6' },
    nouns: { field: 'clouds', ground: 'clouds' },
    words: ['ice', 'winter', 'cold'],
  },
  {
    name: 'Cobblestone',
    categories: ['cobblestone', 'floor', 'outdoor', 'man made'],
    tones: { grey: '#77746f', red: '#7b5145', dark: '#48474a' },
    nouns: { street: 'pebbles', square: 'bricks', path: 'pebbles' },
    words: ['paving', 'old town', 'stone'],
  },
  {
    name: 'Roof',
    categories: ['roofing', 'outdoor', 'man made'],
    tones: { terracotta: '#a85b3d', slate: '#4c545d', brown: '#624a3c' },
    nouns: { tiles: 'bricks', shingles: 'bricks' },
    words: ['clay', 'house', 'slates'],
  },
  {
    name: 'Wallpaper',
    categories: ['wallpaper', 'wall', 'indoor', 'clean'],
    tones: { ...dyes, mint: '#a8cdb8', lilac: '#b3a0c9' },
    nouns: { stripes: 'brushed', damask: 'veins', plain: 'clouds' },
    words: ['paper', 'interior', 'pattern'],
  },
  {
    name: 'Bark',
    categories: ['bark', 'natural', 'outdoor'],
    tones: { brown: '#5c4735', grey: '#847c72', birch: '#d9d3c6' },
    nouns: { trunk: 'grain', tree: 'grain' },
    words: ['tree', 'forest', 'rough'],
  },
  {
    name: 'Cork',
    categories: ['natural', 'indoor', 'floor'],
    tones: { natural: '#b98a5c', dark: '#7a5536' },
    nouns: { board: 'speckle', tiles: 'chips' },
    words: ['pinboard', 'soft', 'sustainable'],
  },
  {
    name: 'Rattan',
    categories: ['wicker', 'natural', 'indoor'],
    tones: { natural: '#c49c68', honey: '#b5793c', white: '#e2dccb' },
    nouns: { weave: 'weave', panel: 'weave' },
    words: ['woven', 'cane', 'basket'],
  },
];

export const adjectives = [
  '',
  'Worn',
  'Clean',
  'Rough',
  'Old',
  'Cracked',
  'Painted',
  'Weathered',
  'Dirty',
  'Fine',
];
export const photographers = [
  'Ada Example',
  'Ben Sample',
  'Chi Tester',
  'Dee Fixture',
  'Eva Muster',
  'Finn Probe',
];

export const places = [
  'Kloof',
  'Harbor',
  'Meadow',
  'Old Town',
  'Pine Forest',
  'Quarry',
  'Lakeside',
  'Rooftop',
  'Vineyard',
  'Desert Road',
  'Courtyard',
  'Studio',
  'Loft',
  'Chapel',
  'Workshop',
  'Glasshouse',
  'Beach',
  'Canyon',
  'Museum Hall',
  'Ballroom',
];

/** Skies by time of day, each with its colors (zenith, horizon and ground) and categories. */
export const skies: Record<string, { colors: [string, string, string]; categories: string[] }> = {
  morning: {
    colors: ['#6d9fd0', '#f0d9b8', '#6f6a52'],
    categories: ['skies', 'morning-afternoon', 'natural light'],
  },
  noon: {
    colors: ['#2f74c8', '#bcd7ee', '#75704f'],
    categories: ['skies', 'midday', 'clear', 'natural light'],
  },
  overcast: { colors: ['#a9afb5', '#d5d8da', '#5c5f58'], categories: ['skies', 'overcast', 'natural light'] },
  sunset: {
    colors: ['#4a4f83', '#f09a55', '#3d2f2b'],
    categories: ['skies', 'sunrise-sunset', 'natural light'],
  },
  dawn: {
    colors: ['#5d6ea0', '#e7b1ab', '#37363d'],
    categories: ['skies', 'sunrise-sunset', 'natural light'],
  },
  night: { colors: ['#0b1024', '#232c4a', '#0d0d10'], categories: ['night', 'artificial light'] },
};

/** Shapes of models, with their categories and tags. */
export const forms: Record<string, { categories: string[]; words: string[] }> = {
  'Arm Chair': { categories: ['furniture', 'seating'], words: ['chair', 'seat', 'living room'] },
  'Dining Chair': { categories: ['furniture', 'seating'], words: ['chair', 'kitchen'] },
  'Bar Stool': { categories: ['furniture', 'seating'], words: ['stool', 'kitchen'] },
  Sofa: { categories: ['furniture', 'seating'], words: ['couch', 'living room'] },
  'Coffee Table': { categories: ['furniture', 'table'], words: ['table', 'living room'] },
  'Side Table': { categories: ['furniture', 'table'], words: ['table', 'bedroom'] },
  Cabinet: { categories: ['furniture', 'shelves'], words: ['cupboard', 'storage'] },
  Bookshelf: { categories: ['furniture', 'shelves'], words: ['shelf', 'books'] },
  'Floor Lamp': { categories: ['lighting', 'decorative'], words: ['lamp', 'light'] },
  'Desk Lamp': { categories: ['lighting', 'props'], words: ['lamp', 'light', 'office'] },
  'Ceramic Vase': { categories: ['decorative', 'props'], words: ['vase', 'flowers'] },
  'Potted Plant': { categories: ['plants', 'decorative'], words: ['plant', 'pot', 'green'] },
  'Wooden Crate': { categories: ['props', 'containers'], words: ['box', 'storage'] },
  Bottle: { categories: ['props', 'containers'], words: ['glass', 'wine'] },
  'Wall Clock': { categories: ['decorative', 'appliances'], words: ['clock', 'time'] },
};
