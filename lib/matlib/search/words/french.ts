/** French search terms, one entry per line, in the form `terms: English meanings; related English words`. */
export const french = `
bois, boisé: wood
chêne: oak
noyer: walnut
pin, sapin, épicéa: pine, spruce
hêtre: beech
bouleau: birch
frêne: ash wood; wood
érable: maple
cerisier, merisier: cherry wood, cherry
teck: teak
acajou: mahogany
ébène: ebony
bambou: bamboo
liège: cork
placage: veneer
contreplaqué: plywood
aggloméré, panneau de particules: particle board, osb, chipboard
écorce: bark
arbre, tronc: tree, bark
planche, lame, latte: plank
plancher: wood floor, plank, floor
parquet: parquet; wood floor
stratifié: laminate
chevron, point de hongrie: chevron, herringbone
bâton rompu, bâtons rompus: herringbone
lambris, boiserie: wood panel, panel; plank
bardage: siding, cladding; plank
panneau: panel
sol, revêtement de sol: floor
mur, muraille, mural: wall
plafond: ceiling
toit, toiture: roof
tuile, tuiles: roof tile; tile
ardoise: slate
chaume: thatch
paille, foin: straw
porte: door
fenêtre: window
clôture: fence
escalier: stairs
route, rue, chaussée: road, street, asphalt
chemin, sentier: path
trottoir: pavement, paving
pavé, pavés, pavage: cobblestone, paving
dalle, dallage: slab, stone floor, paving
asphalte, bitume, goudron: asphalt
béton, béton brut, béton ciré: concrete
ciment: cement, concrete
mortier: mortar, plaster
enduit, crépi, plâtre, stuc: plaster
chaux: plaster wall, plaster
argile, terre crue, pisé: clay, mud
terre cuite: terracotta, clay
papier peint, tapisserie: wallpaper
peinture, peint, peinte: paint, painted
carrelage, carreau, carreaux: tile
carreau de ciment, carreaux de ciment: cement tile; tile
faïence: ceramic tile, tile
carreau métro, carrelage métro: subway tile
mosaïque: mosaic
céramique, grès cérame: ceramic; tile
porcelaine: porcelain
brique, briques: brick
mur de briques, mur en briques: brick wall
pierre, pierres: stone, rock
mur en pierre, mur de pierre: stone wall, rock wall
rocher, roche, falaise: rock, cliff
marbre: marble
granit, granite: granite
grès: sandstone
calcaire, pierre calcaire: limestone
travertin: travertine
basalte: basalt
gravier, galet, galets, gravillon, cailloux: gravel, pebble
sable: sand
dune: dune
plage: beach
terre: soil, dirt
boue: mud
herbe, gazon, pelouse, prairie: grass, lawn
mousse: moss
feuille, feuilles, feuillage: leaves, leaf
forêt: forest
neige: snow
glace: ice
eau: water
métal, métallique, tôle: metal, metal sheet
acier, inox: steel; metal
fer, fonte: iron; metal
cuivre: copper
laiton: brass
aluminium: aluminum; metal
rouille, rouillé, rouillée: rust, rusty metal
tôle ondulée: corrugated, corrugated iron
grille, caillebotis: grate, metal grate
brossé: brushed
verre: glass
caoutchouc: rubber
plastique: plastic
tissu, étoffe, textile: fabric
lin: linen
coton: cotton; fabric
laine: wool
velours: velvet
soie: silk
feutre: felt
toile: canvas, fabric
jute: burlap, jute
bouclette: boucle
rideau, voilage: curtain, fabric
tapis, moquette: carpet
tricot: knit
tissé, tressé, tressage: weave, woven
rotin, osier, cannage: rattan, wicker
cuir: leather
simili cuir, similicuir: leather
daim: suede, leather
fourrure: fur
papier: paper
motif: pattern
fleuri, fleur, floral: floral, flowers
rayé, rayure, rayures: stripes, striped
damier: checkered
hexagone, hexagonal, tomette: hexagon, terracotta tile
vieux, vieille, ancien, ancienne, usé, patiné: old, worn, weathered
neuf, propre: clean
sale: dirty
fissuré, craquelé: cracked
abîmé: damaged
lisse, poli, polie: smooth, polished
rugueux, brut, brute: rough
mouillé: wet
intérieur: indoor, interior
extérieur: outdoor, exterior
cuisine: kitchen
salle de bain, salle de bains: bathroom
plan de travail: worktop, countertop
façade: facade; wall
jardin: garden
coucher de soleil: sunset
lever de soleil, aube: sunrise, dawn
ciel: sky
nuage, nuageux, couvert: cloud, overcast
nuit: night
midi: noon, midday
matin: morning
ville: city, urban
chaise: chair
fauteuil: armchair, arm chair
canapé: sofa
tabouret: stool
table: table
lampe, luminaire, lampadaire: lamp
armoire, placard: cabinet
étagère, bibliothèque: shelf, bookshelf
vase: vase
plante: plant
bouteille: bottle
caisse: crate
horloge: clock
meuble: furniture
`;
