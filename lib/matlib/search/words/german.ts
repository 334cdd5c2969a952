/** German search terms, one entry per line, in the form `terms: English meanings; related English words`. */
export const german = `
holz, hölzern, hölzer: wood
eiche, eichenholz: oak
nussbaum, walnuss, walnuß: walnut
kiefer, kiefernholz: pine
fichte, tanne: spruce, pine
buche, buchenholz: beech
birke, birkenholz: birch
esche, eschenholz: ash wood; wood
ahorn: maple
kirschbaum, kirsche, kirschholz: cherry wood, cherry
lärche: larch; wood
teak, teakholz: teak
mahagoni: mahogany
ebenholz: ebony
bambus: bamboo
kork: cork
furnier: veneer
sperrholz, multiplex: plywood
spanplatte, pressspan, grobspan: osb, particle board, chipboard
baumrinde, rinde, borke: bark
baum, baumstamm: tree, bark
brett, bretter, bohle: plank, board
diele, dielen, dielenboden: plank, wood floor, floorboard
parkett, parkettboden: parquet; wood floor
stabparkett: parquet
laminat: laminate
fischgrät, fischgrat, fischgrätparkett, fischgrätmuster: herringbone
holzboden, holzfußboden: wood floor
holzwand, holzverkleidung, holzvertäfelung: wood wall, wood panel; plank
terrassendiele, terrassenholz: plank, decking
täfelung, vertäfelung, paneel: panel, wood panel
boden, fußboden, bodenbelag: floor
wand, wände: wall
mauer, mauerwerk: wall, brick wall, stone wall; masonry
decke: ceiling
dach, dächer: roof
dachziegel, dachpfanne: roof tile; roof
schindel, dachschindel: shingle; roof
schiefer: slate
reet, strohdach: thatch
stroh, heu: straw, hay
tür, türe: door
holztür: wood door; wood
fenster: window
zaun: fence
treppe: stairs
straße, strasse: road, street, asphalt
weg, pfad: path
gehweg, gehsteig, bürgersteig: pavement, paving
pflaster, pflasterstein, kopfsteinpflaster: cobblestone, paving
gehwegplatte, betonplatte, steinplatte, platte: slab, paving slab, concrete slab
asphalt, teer: asphalt
beton, betonwand: concrete
sichtbeton: concrete wall, concrete; smooth concrete
estrich: concrete floor; concrete
zement: cement, concrete
mörtel: mortar, plaster
putz, verputz, wandputz, rauputz, gips: plaster
kalkputz, kalkfarbe, lehmputz: plaster; clay
lehm, ton: clay, mud
tapete: wallpaper
farbe, anstrich, gestrichen, bemalt: paint, painted
fliese, fliesen, kachel, kacheln: tile
wandfliese, badfliese, küchenfliese: tile; ceramic
bodenfliese: floor tile
metrofliese: subway tile
mosaik: mosaic
keramik, steinzeug, feinsteinzeug: ceramic; tile
porzellan: porcelain
ziegel, backstein, ziegelstein, klinker: brick
ziegelwand, ziegelmauer, backsteinmauer, backsteinwand, klinkerwand: brick wall
stein, naturstein, steine: stone, rock
steinmauer, natursteinmauer, bruchsteinmauer, bruchstein: stone wall, rock wall
steinboden: stone floor
fels, felsen, felswand: rock, cliff
marmor: marble
granit: granite
sandstein: sandstone
kalkstein: limestone
travertin: travertine
basalt: basalt
terrazzo: terrazzo
kies, kiesel, kieselstein, schotter, splitt: gravel, pebble
sand: sand
düne: dune
strand: beach
erde, erdboden: soil, dirt
schlamm, matsch: mud
gras, rasen, wiese: grass, lawn
moos, moosig: moss
laub, blatt, blätter: leaves, leaf
wald, waldboden: forest, forest ground
schnee: snow
eis: ice
wasser: water
metall, blech: metal, metal sheet
stahl, edelstahl: steel; metal
eisen, gusseisen: iron; metal
kupfer: copper
messing: brass
bronze: bronze
aluminium, alu: aluminum; metal
rost, rostig, verrostet, cortenstahl: rust, rusty metal
wellblech: corrugated, corrugated iron
riffelblech: metal plate; metal
gitter: grate, metal grate
gebürstet: brushed
glas: glass
gummi: rubber
kunststoff, plastik: plastic
stoff, gewebe, textil, textilie: fabric
bezugsstoff, polsterstoff, polster, bezug: upholstery, fabric
möbelstoff: fabric; upholstery
leinen: linen
baumwolle: cotton; fabric
wolle: wool
samt: velvet
seide: silk
filz: felt
jute, sackleinen: burlap, jute
jeansstoff: denim
cord, kord: corduroy
gardine, vorhang: curtain, fabric
teppich, teppichboden: carpet
strick, gestrickt: knit
gewebt, geflecht: weave, woven
rattan, korbgeflecht: rattan, wicker
leder, echtleder: leather
kunstleder: leather
wildleder: suede, leather
fell: fur
papier: paper
pappe, karton: cardboard
muster, gemustert: pattern
blume, blumen, geblümt, blumenmuster: floral, flowers
streifen, gestreift: stripes, striped
kariert, schachbrett: checkered
sechseck: hexagon
alt, alte, alter, altes, alten, gebraucht, verwittert, abgenutzt: old, worn, weathered
neu, neue, neuer, neues, sauber: clean
schmutzig, dreckig: dirty
rissig, gerissen, riss: cracked
kaputt, beschädigt: damaged
glatt, poliert: smooth, polished
rau, raue, rauer, raues, rauh, grob: rough
nass: wet
trocken: dry
innen, innenraum: indoor, interior
außen, draußen: outdoor, exterior
küche: kitchen
bad, badezimmer: bathroom
arbeitsplatte: worktop, countertop
fassade: facade; wall
garten: garden
sonnenuntergang, abendrot: sunset
sonnenaufgang, morgenrot: sunrise
himmel: sky
wolke, wolken, bewölkt, bedeckt: cloud, overcast
nacht: night
mittag: noon, midday
morgen: morning
abend: evening, sunset
stadt: city, urban
stuhl, stühle: chair
sessel: armchair, arm chair
sofa, couch: sofa
hocker: stool
tisch: table
lampe, leuchte: lamp
schrank: cabinet
regal: shelf, bookshelf
vase: vase
pflanze, topfpflanze: plant
flasche: bottle
kiste: crate
uhr, wanduhr: clock
möbel: furniture
`;
