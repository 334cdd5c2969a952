import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ShapeView } from '@/components/document/shape-view';
import { shapeElement } from '@/lib/document/page-model';

const drawn = (shape: object) => {
  const element = shapeElement.parse({ id: 's', type: 'shape', x: 0, y: 0, w: 40, h: 2, ...shape });
  return renderToStaticMarkup(createElement(ShapeView, { element }));
};

test('a border that is wider than the shape covers the frame instead of making the shape disappear', () => {
  const thick = { fill: '#ffffff', stroke: '#000000', strokeWidth: 5 };
  // The border is reduced to 1 mm. At that width, its upper and lower sides already cover the height of 2 mm.
  expect(drawn({ ...thick, kind: 'rect' })).toContain(
    '<rect x="0.5" y="0.5" width="39" height="1" rx="0" stroke="#000000" stroke-width="1"',
  );
  expect(drawn({ ...thick, kind: 'ellipse' })).toContain(
    'rx="19.5" ry="0.5" stroke="#000000" stroke-width="1"',
  );
});

test('a border lies within the frame, and a line keeps its width', () => {
  expect(drawn({ kind: 'rect', stroke: '#000000', strokeWidth: 0.5 })).toContain(
    '<rect x="0.25" y="0.25" width="39.5" height="1.5" rx="0" stroke="#000000" stroke-width="0.5"',
  );
  expect(drawn({ kind: 'rect', fill: '#ffffff' })).toContain('width="40" height="2"');
  expect(drawn({ kind: 'line', stroke: '#000000', strokeWidth: 5 })).toContain('stroke-width="5"');
});
