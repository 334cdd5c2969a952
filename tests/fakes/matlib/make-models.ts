import { createNumbering, makeAsset } from '@/tests/fakes/matlib/make-asset';
import type { FakeAsset } from '@/tests/fakes/matlib/make-library';
import { randomFor } from '@/tests/fakes/matlib/random';
import { forms } from '@/tests/fakes/matlib/vocabulary';

const finishes: Record<string, string> = {
  '': '#8a6a4a',
  Modern: '#54595f',
  Painted: '#5b7fa3',
  Vintage: '#7a4a2f',
  Rustic: '#6a553f',
  Classic: '#3f2a22',
  Nordic: '#d3bf9d',
  Red: '#a8342e',
  Green: '#4f7a4c',
  Yellow: '#d6ae3b',
};

export function makeModels(count: number): FakeAsset[] {
  const random = randomFor('models');
  const numberOf = createNumbering();
  return Array.from({ length: count }, () => {
    const [form, facts] = random.pick(Object.entries(forms));
    const [finish, color] = random.pick(Object.entries(finishes));
    const plain = `${finish} ${form}`.trim();
    const name = `${plain} ${numberOf(plain) || '01'}`;
    // About a third of the ids keep their uppercase letters, like older ids in the real library.
    const isOld = random.chance(0.3);
    const slug = isOld
      ? name.replace(/ (?!\d)/g, '').replaceAll(' ', '_')
      : name.toLowerCase().replaceAll(' ', '_');
    const size = random.pick([2048, 4096, 4096, 8192]);
    return makeAsset(
      {
        id: slug,
        type: 'models',
        name,
        description: `A model of a ${plain.toLowerCase()}.`,
        tags: [...new Set([...facts.words, finish.toLowerCase()])].filter(Boolean),
        categories: facts.categories,
        look: { kind: form, colors: [color] },
        maxResolution: [size, size],
        more: {
          attributes: { material: ['wood'], condition: random.chance(0.5) ? 'worn' : ['clean', 'old'] },
          dimensions: Array.from({ length: 3 }, () => random.next() * 1_800 + 80),
          polycount: random.int(500, 90_000),
          texel_density: random.next() * 5_000,
          ...(random.chance(0.3) && { lods: true }),
        },
      },
      random,
    );
  });
}
