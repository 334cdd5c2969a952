import { z } from 'zod';
import type { BenchRow } from '@/tests/bench/row';
import { runPrint, runWatchedPrint } from '@/tests/bench/run-print';
import { quantile } from '@/tests/bench/timing';

const TIME_BAR = 1 / 3;
const MEMORY_BAR = 3 / 4;
const SIZE_BAR = 1.1;
const PAGE_BYTES = 30_000;
const ONE_PAGE_MS = 30;
const MB = 1024 * 1024;

const times = z.object({ fast: z.array(z.number()), plain: z.array(z.number()) });
const oneTimes = z.object({ rendered: z.array(z.number()), whole: z.array(z.number()) });
const sizes = z.object({ bytes: z.number(), images: z.number(), pages: z.number() });

/**
 * Prints 200 pages, each with a photo, in two ways: in parts, and as a whole with `page.pdf()`. Compares the times of
 * the two ways in the same warm browser, and their peak memory in separate processes.
 */
export const export200: BenchRow = {
  name: 'export-200',
  run: async () => {
    const { fast, plain } = times.parse(await runPrint('time'));
    const [one, other] = [quantile(fast, 0.5), quantile(plain, 0.5)];
    const [memory, otherMemory] = [
      (await runWatchedPrint('fast')).peakBytes,
      (await runWatchedPrint('plain')).peakBytes,
    ];
    const [time, space] = [one / other, memory / otherMemory];
    return {
      measured:
        `${one.toFixed(0)} / ${other.toFixed(0)} ms = ${time.toFixed(2)}, ` +
        `${(memory / MB).toFixed(0)} / ${(otherMemory / MB).toFixed(0)} MB = ${space.toFixed(2)}`,
      bar: '≤ 0.33, ≤ 0.75',
      holds: time <= TIME_BAR && space <= MEMORY_BAR,
    };
  },
};

/**
 * Runs eight exports at once in one process. Each export has 50 pages with one photo each. Compares the peak memory of
 * printing the documents in parts with that of printing each document as a whole.
 */
export const export8: BenchRow = {
  name: 'export-8',
  run: async () => {
    const [fast, plain] = [await runWatchedPrint('fast-8'), await runWatchedPrint('plain-8')];
    const [memory, otherMemory] = [fast.peakBytes, plain.peakBytes];
    const [seconds, otherSeconds] = [fast, plain].map(({ output }) => z.number().parse(output) / 1000);
    const space = memory / otherMemory;
    return {
      measured:
        `${(memory / MB).toFixed(0)} / ${(otherMemory / MB).toFixed(0)} MB = ${space.toFixed(2)}, ` +
        `${seconds?.toFixed(1)} / ${otherSeconds?.toFixed(1)} s`,
      bar: '≤ 0.75',
      holds: space <= MEMORY_BAR,
    };
  },
};

/** Compares the size of the PDF with the total size of the images in it. */
export const exportSize: BenchRow = {
  name: 'export-size',
  run: async () => {
    const { bytes, images, pages } = sizes.parse(await runPrint('size'));
    return {
      measured: `${(bytes / MB).toFixed(1)} MB with ${(images / MB).toFixed(1)} MB of images on ${pages} pages`,
      bar: '1.1 × + 30 KB',
      holds: bytes <= SIZE_BAR * images + PAGE_BYTES * pages,
    };
  },
};

/**
 * Exports one page with a photo in a warm browser. Measures how long the browser works on the page, and how long the
 * whole export takes, up to the last byte of the PDF.
 */
export const exportOne: BenchRow = {
  name: 'export-1',
  isAbsolute: true,
  run: async () => {
    const { rendered, whole } = oneTimes.parse(await runPrint('one'));
    const median = quantile(rendered, 0.5);
    const words = (times: number[]) =>
      `${quantile(times, 0.5).toFixed(0)}/${quantile(times, 0.95).toFixed(0)} ms`;
    return {
      measured: `rendered after ${words(rendered)}, whole after ${words(whole)}`,
      bar: `≤ ${ONE_PAGE_MS} ms`,
      holds: median <= ONE_PAGE_MS,
    };
  },
};
