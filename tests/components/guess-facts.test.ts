import { expect, test } from 'vitest';
import { guessFrom } from '@/components/specs/guess-facts';

const guess = guessFrom({
  brands: ['Nordlys', 'Nordlys Grand', 'Café Blå', '21'],
  areas: ['Lobby', 'Guest Room', 'Spa'],
});

test.each([
  ['lobby-curtains.pdf', { area: 'Lobby' }],
  ['nordlys_GUEST-room.v2.pdf', { brandName: 'Nordlys', area: 'Guest Room' }],
  ['Nordlys Grand spa.pdf', { brandName: 'Nordlys Grand', area: 'Spa' }],
  ['cafe bla/spa/stone.pdf', { brandName: 'Café Blå', area: 'Spa' }],
  [
    './Specs/Nordlys/Hotel Oslo/Lobby/curtains.pdf',
    { brandName: 'Nordlys', area: 'Lobby', propertyName: 'Hotel Oslo' },
  ],
  ['Nordlys/Spa/lobby.pdf', { brandName: 'Nordlys', area: 'Lobby' }],
  ['Hotel Oslo/lobby.pdf', { area: 'Lobby' }],
  ['2021 spare lobbying.pdf', {}],
])('the facts of %s are guessed', (path, facts) => {
  expect(guess(path)).toEqual(facts);
});

test('nothing is guessed without any names, or from names without letters and digits', () => {
  expect(guessFrom({ brands: [], areas: [] })('Nordlys/lobby.pdf')).toEqual({});
  expect(guessFrom({ brands: ['–'], areas: ['&'] })('–/&.pdf')).toEqual({});
});
