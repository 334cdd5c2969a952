import { createNumbering, makeAsset } from '@/tests/fakes/matlib/make-asset';
import type { FakeAsset } from '@/tests/fakes/matlib/make-library';
import { hexHash, type Random, randomFor } from '@/tests/fakes/matlib/random';
import { adjectives, type Material, materials } from '@/tests/fakes/matlib/vocabulary';

const conditions: Record<string, string> = { Worn: 'worn', Old: 'worn', Cracked: 'cracked', Dirty: 'dirty' };

function title(...words: string[]): string {
  const all = words.filter((word) => word !== '').join(' ');
  return all.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function categoriesOf(material: Material, noun: string, adjective: string): string[] {
  const by = { floor: 'floor', wall: 'wall', Dirty: 'dirty', Clean: 'clean', Worn: 'dirty' };
  const more = Object.entries(by).flatMap(([word, category]) =>
    word === noun || word === adjective ? [category] : [],
  );
  return [...new Set([...material.categories, ...more])];
}

function makeTexture(random: Random, numberOf: (name: string) => string): FakeAsset {
  const material = random.pick(materials);
  const [tone, color] = random.pick(Object.entries(material.tones));
  const [noun, style] = random.pick(Object.entries(material.nouns));
  const adjective = random.chance(0.5) ? random.pick(adjectives) : '';
  const plain = title(adjective, tone, material.name, noun);
  const number = numberOf(plain);
  const name = title(plain, number);
  const size = random.pick([4096, 8192, 8192, 8192, 16384]);
  const millimetres = random.int(500, 4_000);
  return makeAsset(
    {
      id: name.toLowerCase().replaceAll(' ', '_'),
      type: 'textures',
      name,
      description: `A seamless ${size / 1024}K texture of ${plain.toLowerCase()}.`,
      tags: [
        ...new Set([tone, noun, adjective.toLowerCase(), ...random.some(material.words, 3), 'seamless']),
      ].filter(Boolean),
      categories: categoriesOf(material, noun, adjective),
      look: { kind: style, colors: [color] },
      maxResolution: [size, size],
      more: {
        category: title(material.name, '/', noun).replaceAll(' / ', '/'),
        category_id: `${hexHash(material.name).slice(0, 8)}-0000-5000-8000-${hexHash(noun).slice(0, 12)}`,
        attributes: {
          surface_use: ['wall', 'floor'].includes(noun) ? noun : 'either',
          origin: material.categories.includes('natural') ? 'natural' : 'man_made',
          setting: material.categories.includes('indoor') ? 'indoor' : 'outdoor',
          ...(conditions[adjective] && { condition: [conditions[adjective]] }),
        },
        dimensions: [millimetres, millimetres],
      },
    },
    random,
  );
}

export function makeTextures(count: number): FakeAsset[] {
  const random = randomFor('textures');
  const numberOf = createNumbering();
  return Array.from({ length: count }, () => makeTexture(random, numberOf));
}
