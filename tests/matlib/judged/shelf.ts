import type { SearchItem } from '@/lib/matlib/schema';

// Materials that a studio would keep, named and tagged as in public libraries. Each line holds the name, tags,
// categories and color.
const lines = `
Oak Veneer 01 | oak, veneer, grain, panel | wood, indoor, clean | #b08a5f
White Oak Veneer | oak, pale, veneer, furniture | wood, indoor, clean | #cdb48f
Walnut Veneer 02 | walnut, veneer, dark, furniture | wood, indoor | #5f4230
Herringbone Parquet | oak, floor, pattern, indoor | wood, floor | #a0764a
Diagonal Parquet 02 | floor, wooden, chevron | wood, floor | #8d6540
Rectangular Parquet | floor, wooden, hall | wood, floor | #9a7048
Laminate Floor 02 | floor, planks, apartment | wood, floor, clean | #a98b66
Plank Flooring 04 | planks, floor, walnut | wood, floor | #6a4a34
Wood Floor Deck | decking, planks, terrace | wood, floor, outdoor | #8d7257
Weathered Brown Planks | planks, barn, old | wood, wall, outdoor | #6f5b49
Weathered Plank Siding | siding, cladding, boards | wood, wall, outdoor | #7d7468
Painted Wood Panels Blue | panel, painted, wainscot | wood, wall, indoor | #4f6f8f
Kitchen Wood | worktop, butcher block, smooth | wood, indoor | #a87a4c
Plywood Sheet 01 | plywood, birch, sheet | wood, clean | #cfae7d
OSB Panel | strand, chips, construction | wood, man made | #c39a62
Bamboo Mat | bamboo, woven | natural, indoor | #c0a468
Tree Bark Brown 02 | bark, tree, trunk | bark, natural | #5a4636
Birch Bark White | bark, birch, tree | bark, natural | #cfcac0
Log Wall 01 | logs, cabin, timber | wood, wall | #7a5a3c
Stacked Firewood | logs, firewood, cut | wood, natural | #8e6c48
Marble 01 | polished, veins, white, slab | rock, floor, clean | #e4e2dd
Marble Tiles Checkered | tiles, checker, black, white | floor, clean | #b5b3af
Black Marble Slab | polished, veins, dark | rock, clean | #26262a
Green Marble 03 | polished, veins, luxury | rock, clean | #3f5f4c
Marble Cliff 02 | cliff, mountain, white paint | rock, outdoor, natural | #9a968f
Granite Tile | speckled, kitchen, polished | rock, floor | #6f6e6d
Pink Granite Slab | speckled, polished | rock, clean | #b58d85
Slate Floor 02 | slate, tiles, dark | floor, rock | #4a5055
Slate Driveway | slate, paving, outdoor | floor, outdoor | #585d60
Travertine Wall | travertine, stone, beige | wall, rock | #cbb797
Sandstone Blocks 05 | sandstone, blocks, masonry | wall, rock | #c09c6c
Limestone Facade | limestone, blocks, facade | wall, rock, outdoor | #cfc6b2
Rustic Stone Wall | fieldstone, dry stone, old | wall, rock, outdoor | #7f776a
Castle Wall Slates | castle, medieval, slates | wall, rock | #6d6a66
Stone Floor 03 | flagstone, paving, old | floor, rock | #8a8378
Terrazzo Floor Speckled | terrazzo, chips, retro | floor, clean | #cdc8be
Terrazzo Pink Chips | terrazzo, chips, blush | floor, clean | #d6b3a8
Concrete Wall 003 | concrete, bare, formwork | concrete, wall | #9a9996
Concrete Floor Worn 001 | concrete, floor, stains | concrete, floor, dirty | #8b8984
Concrete Floor Smooth | concrete, floor, polished, screed | concrete, floor, clean | #a8a6a1
Brushed Concrete 02 | concrete, brushed, exterior | concrete, outdoor | #a09e99
Concrete Block Wall | blocks, cinder, garage | concrete, wall | #93918d
Concrete Layers Brutalist | concrete, formwork, brutalist | concrete, wall | #85837f
Anti Slip Concrete | concrete, grooves, pavement | concrete, floor | #908e8a
White Plaster 02 | plaster, wall, smooth, white | plaster, wall, clean | #e6e3dc
White Rough Plaster | plaster, wall, stucco | plaster, wall | #dcd8cf
Beige Wall 001 | plaster, wall, painted | plaster, wall | #d3c3a4
Blue Plaster Weathered | plaster, painted, peeling | plaster, wall, dirty | #7f9db5
Painted Plaster Wall | plaster, painted, yellow | plaster, wall | #d3ad5c
Grey Plaster 03 | plaster, wall, grey | plaster, wall | #8f8e8c
Pink Plaster Trowel | plaster, trowel, painted | plaster, wall | #d3a49c
Clay Wall Cracked | clay, mud, adobe | wall, natural | #a98560
Red Brick 03 | brick, red, old, masonry | brick, wall | #8f4633
Brick Wall 001 | brick, masonry, mortar | brick, wall, outdoor | #8a5443
White Bricks Painted | brick, painted, white | brick, wall | #dcd8d0
Yellow Brick Facade | brick, yellow, facade | brick, wall, outdoor | #bf9c5d
Brick Pavement 02 | brick, paving, street | brick, floor, outdoor | #85594a
Herringbone Pavement | brick, paving, pattern, street | floor, outdoor | #8b6a5a
Hexagonal Concrete Paving | hexagon, paving, concrete | floor, outdoor | #8d8b86
Cobblestone Street 05 | cobblestone, paving, old | floor, outdoor | #706c67
Patterned Paving | paving, garden, path | floor, outdoor | #948a7c
Square Tiles 02 | tiles, ceramic, bathroom | tiles, clean | #d5d2cb
Long White Tiles | tiles, ceramic, white, bathroom, kitchen | tiles, wall, clean | #ccc5b5
Blue Floor Tiles 01 | tiles, ceramic, blue | tiles, floor | #46688c
Floor Tiles 06 | tiles, kitchen, old | tiles, floor | #9d8d78
Interior Tiles | tiles, bathroom, ceramic | tiles, wall, indoor | #c9c4b9
Patterned Floor Tiles | tiles, ornament, vintage | tiles, floor | #8f8478
Mosaic Pool Tiles | mosaic, small, pool, blue | tiles, clean | #4d90a5
Terracotta Floor Tiles | clay, tiles, terracotta | tiles, floor | #b06a48
Green Ceramic Mosaic | mosaic, glazed, green | tiles, clean | #4a7a5a
Hexagon Floor Tiles | hexagon, tiles, bathroom | tiles, floor | #c4c1ba
Roof Slates 02 | slates, roof, shingles | roofing, outdoor | #50565c
Clay Roof Tiles | roof, clay, terracotta | roofing, outdoor | #a4583a
Thatch Roof Angled | thatch, straw, roof | roofing, natural | #8c7a55
Corrugated Iron 02 | corrugated, iron, sheet | metal, roofing | #8b8d8e
Rusty Metal 02 | rust, steel, old | metal, dirty | #84482b
Rusty Corrugated Iron | corrugated, rust, shed | metal, dirty | #7d4e37
Green Metal Rust | painted, rust, peeling | metal, dirty | #5f7660
Blue Metal Plate | painted, steel, plate | metal, clean | #3d6bb3
Metal Plate 02 | tread, plate, industrial | metal, man made | #7a7c7e
Brushed Metal Sheet | brushed, steel, shiny | metal, clean | #a2a5a8
Metal Grate Rusty | grate, rust, industrial | metal, dirty | #6d5040
Copper Patina Sheet | copper, patina, green | metal, outdoor | #6d9a86
Brass Panel | brass, shiny, gold | metal, clean | #bd9a54
Brown Leather | leather, sofa, upholstery | leather, indoor | #5e3a27
Black Leather 02 | leather, upholstery, sofa | leather, indoor | #26242a
Leather White | leather, upholstery, clean | leather, indoor | #e2dcd2
Leather Red 03 | leather, upholstery, red | leather, indoor | #8a2a28
Rough Linen | linen, woven, natural | fabric, indoor | #c7b99f
Fabric Pattern 05 | pattern, floral, curtain | fabric, indoor | #b7a58f
Fabric Pattern 07 | pattern, stripes, cotton | fabric, indoor | #8a93a0
Denim Fabric | denim, jeans, cotton | fabric, indoor | #3f5577
Velour Velvet Green | velvet, soft, sofa | fabric, indoor | #2f5f4a
Velvet Burgundy | velvet, curtain, soft | fabric, indoor | #6b1c34
Poly Wool Herringbone | wool, tweed, woven | fabric, indoor | #6d6a66
Boucle Cream | boucle, soft, looped | fabric, indoor | #e7dfd0
Knitted Fleece | knit, wool, soft | fabric, indoor | #b9b2a6
Hessian Weave | burlap, jute, sack | fabric, natural | #a98d62
Curly Teddy Natural | fur, soft, fleece | fabric, indoor | #cdbfa8
Quilted Satin Grey | quilt, satin, bed | fabric, indoor | #9c9b9d
Navy Canvas | canvas, cotton, blue | fabric, indoor | #2d3a57
Mustard Linen Weave | linen, yellow, woven | fabric, indoor | #c79a3a
Sage Cotton | cotton, green, woven | fabric, indoor | #93a084
Terry Cloth White | terry, towel, bathroom | fabric, indoor | #ece9e2
Dirty Carpet | carpet, stains, old | fabric, floor, dirty | #7d7266
Grey Wool Carpet | carpet, wool, soft | fabric, floor | #95938f
Persian Rug Ornament | rug, ornament, red | fabric, floor | #7c3a34
Checkered Tablecloth | plaid, cotton, red | fabric, indoor | #b2605a
Wicker Basket Weave | wicker, basket, rattan | wicker, indoor | #b58d58
White Rattan Panel | rattan, cane, white | wicker, indoor | #e3ddcf
Cork Board 01 | cork, pinboard | natural, indoor | #b98a5c
Wallpaper Damask Green | damask, ornament, paper | wallpaper, indoor | #5f7c62
Wallpaper Floral Blue | floral, flowers, paper | wallpaper, indoor | #8aa0bd
Asphalt 02 | road, street, tar | asphalt, floor | #4b4b4c
Asphalt Track Worn | track, sport, cracks | asphalt, floor | #5c4b46
Gravel Floor 02 | gravel, stones, path | floor, outdoor | #8c877e
Pebble Beach | pebbles, beach, stones | terrain, natural | #98938a
White Sand Dune | sand, dune, beach | terrain, natural | #e5dccb
Coast Sand 04 | sand, beach, wet | terrain, natural | #c2a982
Brown Mud Leaves | mud, leaves, forest | terrain, natural | #57442f
Forest Ground 03 | forest, leaves, twigs | terrain, natural | #574a36
Leafy Grass | grass, leaves, lawn | terrain, natural | #5f7a3a
Mossy Rock 02 | moss, rock, forest | rock, natural | #66704f
Lichen Rock | lichen, rugged, rock | rock, natural | #7f7c6f
Snow Field 02 | snow, winter, cold | terrain, natural | #e8edf2
Ice Cracked Lake | ice, frozen, cracks | terrain, natural | #b9d0dc
Flour Spread | flour, food, powder | food | #efe9dc
Clapboard White Siding | clapboard, planks, painted | wood, wall, outdoor | #dfdbd2
Black Painted Planks | planks, painted, dark | wood, wall | #2c2b2a
Cardboard Box 01 | cardboard, paper, box | man made | #b08c62
Rubber Mat Studs | rubber, gym, floor | man made, floor | #333333
Polystyrene Foam | foam, packaging, white | man made | #eeeeea
`;

const publishedAt = '2024-01-01T00:00:00.000Z';

/** The materials as list items, each with slightly fewer downloads than the previous one. */
export const shelf: SearchItem[] = lines
  .trim()
  .split('\n')
  .map((line, at) => {
    const [name = '', tags = '', categories = '', color = ''] = line.split('|').map((part) => part.trim());
    return {
      id: `shelf_${name.toLowerCase().replaceAll(' ', '_')}`,
      type: 'textures',
      name,
      tags: tags.split(', '),
      categories: categories.split(', '),
      thumbnail_url: 'https://cdn.example.test/x.png',
      download_count: 40_000 - at * 100,
      downloads_per_day: 10,
      published_at: publishedAt,
      description: `A seamless texture of ${name.toLowerCase()}.`,
      authors: [],
      max_resolution: null,
      dimensions_mm: null,
      color,
    };
  });
