/** Synonyms, one group per line. Searching for any word in a group also finds the others. */
export const sameInEnglish = `
asphalt, tarmac, bitumen, blacktop, macadam
concrete, cement, beton
fabric, cloth, textile
carpet, rug
couch, sofa, settee
armchair, arm chair
wood, timber, lumber, wooden
plank, board, floorboard, decking
parquet, parquetry
plaster, stucco, render, rendering, rendered
rock, stone
gravel, pebble, shingle, scree
brick, brickwork, masonry
paving, pavement, paver, pavers, sidewalk
cobblestone, cobble, sett
soil, dirt, earth, mud
metal, metallic
rust, rusty, corroded, rusted, corrosion
corrugated, corrugation
old, worn, weathered, aged, distressed, antique, vintage
dirty, grimy, stained, grungy, grunge
damaged, broken, cracked, crumbling
clean, new, pristine
smooth, polished
roof, roofing
roof tile, roof shingle
wall, facade
wallpaper, wallcovering
moss, mossy
grass, lawn, turf
leaf, leaves, foliage
forest, woodland, woods
sky, skies
sunset, dusk, sundown
sunrise, dawn, daybreak
night, nighttime, midnight
cloudy, overcast
lamp, light, lantern, luminaire
chair, seat, seating
stool, barstool
cupboard, cabinet, wardrobe, closet
bookshelf, bookcase, shelf
plant, houseplant
flowerpot, planter, plant pot
indoor, interior, inside
outdoor, exterior, outside
speckled, flecked, terrazzo
checkered, chequered, checker, checkerboard
striped, stripe, stripes
hexagon, hexagonal
herringbone, fishbone
wicker, rattan, cane
knit, knitted
woven, weave, weaving
quilt, quilted
denim, jeans
aluminum, aluminium
plywood, ply
osb, oriented strand board, strand board
burlap, hessian, sackcloth
velvet, velour
leather, hide
snow, snowy
ice, frozen
sand, sandy
cliff, rock face
beach, shore, coast
ceramic, porcelain
grey, gray
`;

/**
 * Search terms and what they mean in the library's vocabulary. Each line has the form `terms: meanings; related words`.
 * An item that does not match every word of a multi-word meaning scores much lower.
 */
export const meantInEnglish = `
oak, walnut, pine, teak, cherry wood, mahogany, beech, birch, maple, ash wood, cedar, spruce, larch, okoume: ; wood
hardwood, softwood, solid wood: wood; plank, veneer
veneer: ; wood, plywood
flooring: floor; parquet, plank, tile
parquet: ; wood floor, plank
laminate: laminate floor, wood floor; plank
vinyl, lvt, linoleum, lino: vinyl, linoleum, laminate floor; floor, rubber
floorboards, deck, decking, boardwalk: plank, wood floor; wood
cladding, siding, weatherboard, clapboard: siding, cladding, clapboard; plank, panel, wall
paneling, wainscot, wainscoting, panelling: wood panel, wood wall; panel, plank
slats, slatted, batten: slat, plank; panel
chipboard, particle board, mdf, fiberboard, hardboard, pressboard: osb, particle board, chipboard; plywood, wood panel
osb: ; plywood, particle board
chevron: chevron, herringbone; parquet, diagonal
herringbone: ; chevron, parquet
basketweave: basket weave; parquet, herringbone, weave
checkered: ; tile
subway tile, metro tile, brick tile: subway tile, long tile, rectangular tile, white tile; tile, brick
kitchen tile, bathroom tile, wall tile: tile, bathroom tile; ceramic
bathroom, shower, washroom, toilet: bathroom, bathroom tile; tile, ceramic, marble
kitchen: ; tile, marble, granite
countertop, worktop, benchtop: worktop, granite, marble, stone slab; kitchen, terrazzo
backsplash, splashback: splashback, tile; ceramic, mosaic
zellige, azulejo, encaustic, moroccan tile, cement tile: patterned tile, ceramic tile; tile, mosaic
mosaic: ; tile
ceramic, porcelain, stoneware, earthenware: ceramic, tile; clay, terracotta
tile: ; ceramic
terracotta, cotto: terracotta, clay tile; clay, brick, orange tile
quarry tile: terracotta tile, clay tile; tile
travertine, limestone, sandstone, slate, granite, quartzite, basalt, onyx: ; stone, rock
natural stone, ashlar, stonework, dry stone, fieldstone, rubble wall: stone wall, rock wall; stone, rock
flagstone, crazy paving: flagstone, stone paving, stone floor; paving, stone
stone slab, flag: slab, stone floor; marble, granite
marble, carrara, calacatta, statuario: marble; stone, granite, polished stone
granite: ; stone, speckled
terrazzo: ; speckled, granite, stone floor
quartz, silestone, corian, engineered stone: granite, marble; stone, terrazzo
microcement, micro cement, microtopping, concrete screed, screed: concrete floor, smooth concrete, concrete; plaster
board formed, shuttered concrete, board marked: formwork concrete, concrete panel, concrete; wall
fair faced concrete, exposed concrete, raw concrete, cast concrete, architectural concrete: concrete wall, concrete; smooth
breeze block, cinder block, cinderblock, concrete block: concrete block wall, concrete block, block wall; concrete, brick
limewash, lime wash, lime plaster, lime paint, tadelakt, venetian plaster, marmorino: plaster wall, plaster; painted wall, wall
drywall, gypsum, plasterboard, sheetrock: plaster wall, white plaster; plaster, wall
roughcast, pebbledash, pebble dash, harling: rough plaster, plaster; pebble, wall
render, rendered: plaster; wall
adobe, mud brick, rammed earth, cob wall: mud wall, clay wall, adobe; clay, mud, brick
brick: ; brick wall
exposed brick: brick wall, brick
clinker, engineering brick, facing brick: brick; brick wall
bluestone, setts, belgian block: cobblestone; paving
driveway, patio, terrace, walkway: paving, paver; gravel, cobblestone, brick paving
street, highway, roadway: road, asphalt; cobblestone
road: ; asphalt
asphalt: ; road
upholstery: upholstery, fabric, leather; velvet, sofa
couch, sofa: ; upholstery, leather, fabric
curtain, drapery, drapes: curtain, fabric; linen, velvet
boucle, bouclé: boucle, knit, wool; fabric, weave
tweed, houndstooth, herringbone fabric, flannel, felt: wool, tweed, felt; fabric, weave
wool: ; knit, fabric, felt
linen, cotton, canvas, muslin, gauze: ; fabric, weave
silk, satin: silk, satin; fabric
velvet, corduroy, chenille, velour: velvet, corduroy; fabric
jacquard, damask, brocade: damask, patterned fabric, floral fabric; fabric pattern, pattern
tartan, plaid, gingham: plaid, checkered fabric; fabric pattern, fabric
denim, jeans: ; fabric
burlap, jute, sisal, hemp, seagrass, raffia: burlap, jute, sisal; fabric, weave, wicker
towel, terry cloth: terry, towel; fabric
rug, carpet, carpeting, doormat: ; fabric, wool
jute rug: jute, burlap; carpet, weave
faux leather, leatherette, nappa, suede, nubuck, pleather: leather; upholstery
leather: ; upholstery
fur, sheepskin, shag, shearling: fur; wool, carpet
netting, mesh, tulle: mesh, net; fabric
wicker: ; weave, basket
stainless steel, steel, iron, aluminum, zinc, tin, chrome: steel, metal; iron
brushed metal, brushed steel, brushed aluminum: brushed metal, metal; steel
brass, bronze, copper, gold, silver: ; metal
corten, cor-ten, weathering steel, corten steel: rusty metal, rust; metal
rust: ; metal
diamond plate, checker plate, tread plate, chequer plate: metal plate, metal; steel
sheet metal, metal sheet: metal sheet, metal plate; metal
corrugated: ; metal, iron
tin roof, metal roof: corrugated, metal roof; metal, roof
grating, grate, grille: metal grate, grate; metal
patina, verdigris, oxidized: green metal, copper; rust
galvanized, powder coated: metal; steel
thatch, thatched: thatch; straw, roof
shingles, slates, shake: roof shingle, roof tile, shingle; roof, slate
roof: ; shingle, slate
hay: straw; dry grass, grass
bark: ; tree, wood
log, logs, firewood, tree trunk, tree bark: log, bark; wood, tree
bamboo: ; wood, plant, wicker
cork: ; natural
rubber: ; plastic
plastic, acrylic, pvc, polycarbonate: plastic; rubber
styrofoam, foam: polystyrene, foam; plastic
gypsum board: plaster
cardboard, kraft paper, paper: paper, cardboard; wallpaper
wallpaper: ; wall, pattern
epoxy, resin floor: smooth concrete floor, smooth floor; concrete floor
forest floor, woodland floor: forest ground, leaves; ground, moss, soil
meadow, pasture, field: grass, field; ground
garden: grass, garden; plant, gravel
lawn: grass
desert, dune: sand, dune; ground, rock
seaside, ocean floor: beach, sand; coast, pebble
riverbed, river bed: river, pebble; gravel, rock, mud
volcanic, lava: lava, basalt; rock
mountain, boulder: rock, cliff; boulder
swamp, puddle, wet ground: mud, wet; soil
ploughed, plowed, farmland: soil, field; mud, ground
winter: snow, ice
frost, frosty: snow, frost; ice
abandoned, derelict, ruined, ruin: old, damaged, abandoned; dirty, rust
rustic, farmhouse, barn, cottage: rustic, old wood, weathered; wood, brick
industrial, warehouse, factory, loft: industrial, metal, concrete; brick
scandinavian, nordic, minimal, minimalist: clean, light wood; white, plaster
mediterranean: terracotta, plaster; tile
luxury, luxurious: marble; velvet, polished
medieval, castle: castle, stone wall; cobblestone, brick wall
painted wall, paint, painted: painted, paint; plaster, wall
peeling, flaking, chipped paint: peeling, peeling paint, damaged paint; painted, plaster
graffiti: painted wall, graffiti; wall
floral, flower: floral, flower; pattern
geometric: pattern; hexagon, diagonal
hexagon: ; tile
ceiling: ceiling, plaster; wall, panel
sunset, sunrise, golden hour: sunset, sunrise, sunrise-sunset; evening, dusk
dusk, twilight, blue hour, evening: sunset, sunrise-sunset, evening; night
sunny, clear sky, blue sky: clear, sunny, midday; sky, sun
noon, midday: noon, midday; clear
rainy, stormy: overcast, rain; cloud
moonlight, starry, stars: night; dark
city, urban, downtown: urban, city; street
studio, photo studio, softbox: studio; artificial light, indoor
office: indoor, office; studio
church, cathedral, chapel: church, chapel; interior, hall
seaside view: beach, coast
dining table, desk, coffee table: table; furniture
shelving, bookcase: shelf, bookshelf; furniture
vase, pot: vase; ceramic
potted plant: plant, pot; decorative
crate, box: crate, box; container
`;

/** Words for the state of a material. They count less than words for the kind of material. */
export const states = new Set(
  'old worn weathered aged dirty clean new rough smooth polished damaged cracked broken wet dry painted modern rustic fine'.split(
    ' ',
  ),
);

/** Words that hardly count in a query, because they say little about an item. */
export const weakWords = new Set(
  'texture textures textured material materials seamless pbr surface surfaces finish look style background map effect covering textur oberflache optik matiere effet'.split(
    ' ',
  ),
);
