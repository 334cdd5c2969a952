// @module-tag extended
import { expect, inject, test } from 'vitest';
import { apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { addImage, picture } from '@/tests/app/support/pictures';
import {
  desk,
  middleOf,
  only,
  openDocument,
  pressControl,
  pull,
  savingIs,
  storedDocument,
  storePages,
  target,
} from './support/document-pages';
import { openBrowser } from './support/open-browser';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';

test('elements are grouped and snapped to a guide and to equal gaps, and an image is cropped on the canvas', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const projectId = await newProject(member, 'Layout');
  const { id: imageId } = await addImage(member, projectId, await picture(1200, 900));
  const shape = { type: 'shape', kind: 'rect', y: 30, w: 20, h: 20, fill: '#2f5d50' } as const;
  const image = { id: 'i', type: 'image', x: 40, y: 120, w: 80, h: 60, imageId, alt: 'Lobby' } as const;
  await storePages(member, projectId, [
    {
      id: 'p',
      elements: [
        { ...shape, id: 'a', name: 'A', x: 20 },
        { ...shape, id: 'b', name: 'B', x: 50 },
        { ...shape, id: 'c', name: 'C', x: 150 },
        image,
      ],
    },
  ]);
  const page = await open();
  await openDocument(page, email, projectId);
  const stored = async () => {
    await savingIs(page, 'saved');
    const [first] = (await storedDocument(member, projectId)).pages;
    return { page: first, place: (id: string) => first?.elements.find((element) => element.id === id)?.x };
  };

  // C snaps to the position at which its gap to B equals the gap between A and B.
  const gaps = async () => {
    await page.waitForFunction(
      `[...document.querySelectorAll('${desk} [data-axis=x]')].filter(({ textContent }) => textContent === '10 mm').length === 2`,
    );
  };
  await pull(page, await middleOf(page, target('Rectangle: C')), { x: -69.4, y: 0 }, gaps);
  expect((await stored()).place('c')).toBeCloseTo(80, 5);

  // Group A and B, pull a guide from the ruler, and move the group onto the guide.
  await page.locator(target('Rectangle: A')).click();
  await page.keyboard.down('Shift');
  await page.locator(target('Rectangle: B')).click();
  await page.keyboard.up('Shift');
  await pressControl(page, 'g');
  await page.locator('aside ::-p-text(Group of 2 elements)').wait();
  const grouped = target('Group of 2 elements, Rectangle: A');
  const corner = await middleOf(page, grouped);
  const ruler = await middleOf(page, '[data-new-guide=x]');
  const start = { x: ruler.x, y: corner.y + 300 };
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(corner.x, start.y, { steps: 6 });
  await page.mouse.up();
  await page.waitForSelector('[aria-label="Vertical guide, 30 mm"]:focus');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('[aria-label="Vertical guide, 31 mm"]:focus');
  // The guide covers the middle of A, so drag the group by B.
  const other = target('Group of 2 elements, Rectangle: B');
  await pull(page, await middleOf(page, other), { x: 10.8, y: 60 });
  const moved = await stored();
  expect(moved.page?.guides).toEqual([{ axis: 'x', at: 31 }]);
  expect([moved.place('a'), moved.place('b'), moved.place('c')]).toEqual([31, 61, 80]);

  // A double-click enters the group, and Escape leaves it.
  await page.locator(grouped).click({ count: 2 });
  await page.locator(`${target('Rectangle: B')}[aria-pressed=false]`).wait();
  await page.keyboard.press('Escape');
  await page.locator(`${other}[aria-pressed=true]`).wait();

  // Zoom and move the image in its frame with the mouse, and cancel the crop. Then zoom and move it with the keyboard,
  // apply the crop, and undo it.
  await page.locator(target('Image: Lobby')).click({ count: 2 });
  await page.waitForSelector('[aria-label="Crop of Image: Lobby"]:focus');
  const middle = await middleOf(page, '[aria-label="Crop of Image: Lobby"]');
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.wheel({ deltaY: -300 });
  await page.waitForFunction(`Number(document.querySelector('[role=slider]').ariaValueNow) > 100`);
  await pull(page, middle, { x: 10, y: 10 });
  await page.keyboard.press('Escape');
  await page.waitForSelector(`${target('Image: Lobby')}:focus`);
  expect(only((await stored()).page, 'image').crop).toBeNull();
  await page.keyboard.press('Enter');
  await page.waitForSelector('[aria-label="Crop of Image: Lobby"]:focus');
  for (let times = 0; times < 8; times += 1) await page.keyboard.press('+');
  await page.keyboard.press('ArrowRight');
  await page.focus('[role=toolbar][aria-label=Crop] [role=slider]');
  await pressControl(page, 's');
  await page.waitForFunction("document.body.textContent.includes('Saved.')");
  await page.focus('[aria-label="Crop of Image: Lobby"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${target('Image: Lobby')}:focus`);
  const { crop } = only((await stored()).page, 'image');
  const side = 1 / 1.1 ** 8;
  expect(crop?.w).toBeCloseTo(side, 3);
  expect(crop?.x).toBeCloseTo((1 - side) / 2 - side / 80, 3);
  await pressControl(page, 'z');
  expect(only((await stored()).page, 'image').crop).toBeNull();
});
