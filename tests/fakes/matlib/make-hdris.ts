import { createNumbering, makeAsset } from '@/tests/fakes/matlib/make-asset';
import type { FakeAsset } from '@/tests/fakes/matlib/make-library';
import { randomFor } from '@/tests/fakes/matlib/random';
import { places, skies } from '@/tests/fakes/matlib/vocabulary';

const indoors = ['Studio', 'Loft', 'Chapel', 'Workshop', 'Glasshouse', 'Museum Hall', 'Ballroom'];

export function makeHdris(count: number): FakeAsset[] {
  const random = randomFor('hdris');
  const numberOf = createNumbering();
  return Array.from({ length: count }, () => {
    const place = random.pick(places);
    const [time, sky] = random.pick(Object.entries(skies));
    const plain = `${place} ${time.charAt(0).toUpperCase()}${time.slice(1)}`;
    const name = `${plain} ${numberOf(plain)}`.trim();
    const isIndoor = indoors.includes(place);
    const width = random.pick([16384, 16384, 20634, 24576]);
    return makeAsset(
      {
        id: name.toLowerCase().replaceAll(' ', '_'),
        type: 'hdris',
        name,
        description: `A ${time} environment: ${place.toLowerCase()}.`,
        tags: [place.toLowerCase(), time, random.pick(['sun', 'clouds', 'trees', 'windows', 'wide'])],
        categories: [
          ...sky.categories,
          isIndoor ? 'indoor' : 'outdoor',
          random.pick(['urban', 'nature', 'high contrast']),
        ],
        look: { kind: 'sky', colors: sky.colors },
        maxResolution: [width, width / 2],
        more: {
          attributes: { time_of_day: time, environment: isIndoor ? 'indoor' : 'outdoor' },
          evs_cap: random.int(8, 24),
          whitebalance: random.chance(0.8) ? random.int(3_000, 7_500) : null,
          coords: random.chance(0.7) ? [random.next() * 120 - 60, random.next() * 300 - 150] : null,
          backplates: random.chance(0.2),
          date_taken: random.int(1_500_000_000, 1_690_000_000),
        },
      },
      random,
    );
  });
}
