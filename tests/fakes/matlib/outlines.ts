// Outlines on a 100 × 100 canvas. `c` is the model's color, and `d` is a darker shade of it.
const outlines: [RegExp, (c: string, d: string) => string][] = [
  [
    /Sofa/,
    (c, d) =>
      `<rect x="8" y="36" width="84" height="26" rx="7" fill="${c}"/><rect x="4" y="50" width="92" height="26" rx="8" fill="${d}"/><rect x="10" y="74" width="6" height="12"/><rect x="84" y="74" width="6" height="12"/>`,
  ],
  [
    /Arm Chair/,
    (c, d) =>
      `<rect x="26" y="16" width="48" height="44" rx="9" fill="${c}"/><rect x="18" y="44" width="64" height="28" rx="9" fill="${d}"/><path d="M26 72l-5 20M74 72l5 20" stroke="#2a211b" stroke-width="5"/>`,
  ],
  [
    /Chair/,
    (c, d) =>
      `<path d="M32 10v80M68 54v36" stroke="${d}" stroke-width="6"/><rect x="30" y="12" width="8" height="44" fill="${c}"/><rect x="30" y="48" width="42" height="9" rx="3" fill="${c}"/>`,
  ],
  [
    /Stool/,
    (c, d) =>
      `<ellipse cx="50" cy="22" rx="26" ry="8" fill="${c}"/><path d="M34 26l-8 66M66 26l8 66M30 66h40" stroke="${d}" stroke-width="5" fill="none"/>`,
  ],
  [
    /Table/,
    (c, d) =>
      `<rect x="8" y="38" width="84" height="9" rx="3" fill="${c}"/><path d="M18 47v42M82 47v42" stroke="${d}" stroke-width="7"/>`,
  ],
  [
    /Cabinet/,
    (c, d) =>
      `<rect x="18" y="14" width="64" height="74" rx="2" fill="${c}"/><path d="M50 16v70" stroke="${d}" stroke-width="2"/><circle cx="45" cy="50" r="2.5" fill="${d}"/><circle cx="55" cy="50" r="2.5" fill="${d}"/>`,
  ],
  [
    /Bookshelf/,
    (c, d) =>
      `<rect x="20" y="8" width="60" height="84" fill="${c}"/><path d="M25 13h50v20h-50zM25 39h50v20h-50zM25 65h50v22h-50z" fill="${d}"/><path d="M30 18v15M36 15v18M42 19v14M30 44v15M56 44v15M62 42v17" stroke="${c}" stroke-width="4"/>`,
  ],
  [
    /Lamp/,
    (c, d) =>
      `<path d="M34 10h32l10 30h-52z" fill="${c}"/><path d="M50 40v46" stroke="${d}" stroke-width="4"/><ellipse cx="50" cy="88" rx="18" ry="4" fill="${d}"/>`,
  ],
  [
    /Vase/,
    (c, d) =>
      `<path d="M42 10h16q-2 16 12 32 10 34-12 46h-16q-22-12-12-46 14-16 12-32z" fill="${c}"/><path d="M42 12h16" stroke="${d}" stroke-width="4"/>`,
  ],
  [
    /Plant/,
    (c, d) =>
      `<path d="M50 62q-34-6-30-40 22 2 30 40 4-44 30-46 4 36-30 46" fill="#4f7a43"/><path d="M34 60h32l-5 30h-22z" fill="${c}"/><path d="M32 60h36" stroke="${d}" stroke-width="5"/>`,
  ],
  [
    /Crate/,
    (c, d) =>
      `<rect x="14" y="26" width="72" height="60" fill="${c}"/><path d="M14 46h72M14 66h72M30 26v60M70 26v60" stroke="${d}" stroke-width="3"/>`,
  ],
  [
    /Bottle/,
    (c, d) =>
      `<path d="M44 8h12v24q12 8 12 20v36q0 4-4 4h-28q-4 0-4-4v-36q0-12 12-20z" fill="${c}"/><rect x="34" y="58" width="32" height="18" fill="${d}"/>`,
  ],
  [
    /Clock/,
    (c, d) =>
      `<circle cx="50" cy="50" r="40" fill="${c}"/><circle cx="50" cy="50" r="33" fill="#eee8da"/><path d="M50 50v-22M50 50l14 8" stroke="${d}" stroke-width="4"/>`,
  ],
];

/** Returns the outline of a model as SVG shapes, or an empty string for an unknown form. */
export function outlineOf(form: string, color: string, darker: string): string {
  return outlines.find(([known]) => known.test(form))?.[1](color, darker) ?? '';
}
