/**
 * Color names in English, German and French. Each line has the form `names: value > parents`. The parents, if any, are
 * more basic colors, and the color is a shade of each of them. A `?` before the value means that the names are
 * primarily names of materials or objects, such as sand.
 */
export const colorNames = `
white, weiß, weiss, blanc, blanche: #f4f3f0
grey, gray, grau, gris, grise: #8b8c8d
black, schwarz, noir, noire: #1c1c1d
beige: #d8c6a6
brown, braun, brun, brune, marron: #7a4f30
red, rot, rote, roter, rotes, roten, rouge: #b3352b
orange: #d9802e
yellow, gelb, jaune: #e0bd3c
green, grün, vert, verte: #5d8a46
teal, petrol, türkis, turquoise, turquoise blue, cyan, aqua: #2f8f8b > blue, green
blue, blau, bleu, bleue: #3d6bb3
purple, lila, violett, violet, violette: #7d57a5
pink, rosa, rosé: #d98fa5
ivory, off white, elfenbein, cremeweiß, ivoire, blanc cassé, eggshell, alabaster: #ece4d3 > white, beige
cream, creme, crème: ? #e9dfc8 > beige, white
sand, sable: ? #d3bf97 > beige
taupe, greige, mushroom: #9c8f80 > beige, grey, brown
camel, tan, cognac, caramel, toffee: #b07d48 > brown, orange
chocolate, schokolade, chocolat, espresso, mocha, coffee: ? #4a2f22 > brown
ochre, ocker, ocre, mustard, senf, senfgelb, moutarde, amber: #c99a34 > yellow
gold, golden, doré: ? #c79a3c > yellow
lemon, zitronengelb, citron: #ecd54a > yellow
terracotta, terrakotta, terre cuite: ? #b9694a > orange, red
rust, rost, rouille: ? #a5532e > orange, brown
copper, kupfer, cuivre: ? #b5714c > orange, brown
peach, apricot, salmon, lachs, saumon, coral, koralle, corail: #e39a7d > orange, pink
burgundy, bordeaux, maroon, wine red, weinrot, oxblood, claret, crimson: #6d1a36 > red
scarlet, vermilion, ziegelrot, brick red: #a82c2c > red
blush, rose, altrosa, dusty pink, dusty rose, vieux rose: ? #d8a39c > pink
fuchsia, magenta, hot pink: #c02f86 > pink, purple
plum, pflaume, aubergine, eggplant, prune: ? #5f3a5c > purple
lavender, lavendel, lavande, lilac, flieder, mauve: #b3a0c9 > purple
navy, navy blue, midnight blue, marine, marineblau, dunkelblau, bleu marine, indigo: #2b3a5e > blue
cobalt, royal blue, kobaltblau, ultramarine, königsblau: #2f5aa6 > blue
sky blue, light blue, baby blue, hellblau, himmelblau, bleu clair, bleu ciel, pastel blue: #8fb0cf > blue
sage, sage green, salbei, salbeigrün, vert sauge, eucalyptus: ? #9aa88a > green
olive, olive green, oliv, olivgrün, khaki: ? #6d6b3c > green
emerald, smaragd, smaragdgrün, émeraude, bottle green, forest green, dunkelgrün, vert foncé: #2c5b42 > green
mint, mint green, minze, menthe, pastel green, hellgrün: ? #a8cdb8 > green
lime green, apple green: #93b83c > green
anthracite, anthrazit, charcoal, slate grey, graphite, dunkelgrau, gris foncé: ? #3f4144 > grey, black
light grey, light gray, hellgrau, gris clair, silver, silber, argent: ? #c2c3c4 > grey
`;

/** Words for a light color, in English, German and French. */
export const lightWords = new Set(
  'light lighter pale bright hell helle heller helles hellen blass clair claire pale pastel'.split(' '),
);
export const darkWords = new Set(
  'dark darker deep dunkel dunkle dunkler dunkles fonce foncee sombre'.split(' '),
);
