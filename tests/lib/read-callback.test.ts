import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HttpError } from '@/lib/errors/problem';
import { parseJson } from '@/lib/http/read-json';
import { readImageCallback } from '@/lib/image-gen/read-callback';
import { imageCallbackBody } from '@/lib/image-gen/schema';
import { readSpecCallback } from '@/lib/specs/read-callback';
import { specCallbackBody } from '@/lib/specs/schema';
import { callbackId } from '@/lib/workflow/read-callback';
import { wrongBodies } from '@/tests/app/support/mutations';
import { anyText } from '@/tests/setup/any-text';

const id = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const other = '2c4e28ba-2fa1-41d2-883f-0016d3cca428';
const path = `images/projects/${other}/jobs/${id}/1/1-1`;
const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);

const spec = (body: object) => readSpecCallback({ spec_upload_id: id, status: 'completed', ...body }, {});
const image = (body: object) => readImageCallback({ job_id: id, status: 'succeeded', ...body }, {});
const running = (body: object) => spec({ status: 'running', ...body });

function refusal(run: () => unknown): HttpError {
  try {
    run();
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
  return expect.unreachable();
}

describe('the body of a callback', () => {
  const body = { job_id: id, status: 'failed', error: 'no light' };
  const text = JSON.stringify(body);

  test.each<[string, unknown]>([
    ['as documented', body],
    ['in a list of one', [body]],
    ['in lists of one', [[body]]],
    ['as JSON in text', text],
    ['as JSON in text in text', JSON.stringify(text)],
    ['as JSON in text in a list', [text]],
    ['in data', { data: body }],
    ['in body', { body, headers: {}, statusCode: 200 }],
    ['in data with the status of an answer', { status: 'ok', data: body }],
    ['in data in body, both lists of one', { body: [{ data: [body] }] }],
    ['as JSON in text in data', { data: text }],
    ['beside data with another id', { ...body, data: { job_id: other, status: 'succeeded' } }],
    ['with an id in upper case', { ...body, job_id: id.toUpperCase() }],
    ['with blanks around the id', { ...body, job_id: ` ${id}\n` }],
    ['with = before the id', { ...body, job_id: `=${id}` }],
    ['with lists of one around its fields', { job_id: [id], status: ['failed'], error: ['no light'] }],
    ['with unknown fields', { ...body, run: 7, ['__proto__']: null, execution: {} }],
  ])('is read %s', (_name, json) => {
    expect(readImageCallback(json, {})).toEqual({ ...body, output_paths: [], notes: [] });
    expect(callbackId('image', json, null)).toBe(id);
  });

  test.each<[string, unknown, string, string]>([
    ['null', null, '', 'The body must be an object, not null.'],
    ['a number', 7, '', 'The body must be an object, not a number.'],
    ['text', 'done', '', 'The body must be an object, not a string.'],
    ['two bodies', [body, body], '', 'The body must be an object, not a list of 2.'],
    ['no id', { status: 'failed' }, 'job_id', 'The body has no job_id.'],
    ['a blank id', { ...body, job_id: ' ' }, 'job_id', 'The body has no job_id.'],
    [
      'the id of the other kind',
      { spec_upload_id: id, status: 'failed' },
      'job_id',
      'The body has no job_id.',
    ],
    ['data without an id', { data: { status: 'failed' } }, 'job_id', 'The body has no job_id.'],
    ['another id', { ...body, job_id: 'my job' }, 'job_id', 'job_id must be a UUID.'],
    ['an object as id', { ...body, job_id: {} }, 'job_id', 'job_id must be a UUID.'],
    ['no status', { job_id: id, error: { message: 'no light' } }, 'status', 'The body has no status.'],
    ['a blank status', { ...body, status: '' }, 'status', 'The body has no status.'],
    ['another status', { ...body, status: 'ok' }, 'status', 'status must be succeeded, failed or running.'],
    [
      'a number as status',
      { ...body, status: 200 },
      'status',
      'status must be succeeded, failed or running.',
    ],
  ])('with %s is refused with the reason', (_name, json, field, detail) => {
    const error = refusal(() => readImageCallback(json, {}));
    expect(error).toMatchObject({ code: 'invalid_request', message: detail });
    expect(error.extra.errors).toMatchObject([{ path: field }]);
  });

  test('without an id gets that of the URL, and the id in the body wins', () => {
    const { job_id: _, ...withoutId } = body;
    expect(readImageCallback(withoutId, { job_id: ` ${other.toUpperCase()}` })).toMatchObject({
      job_id: other,
      notes: [],
    });
    expect(readImageCallback(body, { job_id: other })).toMatchObject({ job_id: id, notes: [] });
    expect(readImageCallback({ data: withoutId }, { job_id: other })).toMatchObject({ job_id: other });
    expect(readImageCallback({ ...body, job_id: 'undefined' }, { job_id: other })).toMatchObject({
      job_id: other,
      notes: ["job_id must be a UUID; the callback URL's was used."],
    });
    expect(refusal(() => readImageCallback(withoutId, { job_id: 'mine' })).message).toBe(
      'The body has no job_id.',
    );
    expect(callbackId('image', undefined, other)).toBe(other);
  });

  test('in text has no characters that cannot be stored', () => {
    const json = '{"job_id":"x","status":"failed","error":"a\\u0000b\\ud800"}';
    for (const sent of [json, JSON.stringify(json)]) {
      const read = parseJson(
        Buffer.from(sent.replace('"x"', `"${id}"`).replace('\\"x\\"', `\\"${id}\\"`)),
        32,
        'replace',
      );
      expect(readImageCallback(read, {})).toMatchObject({ error: 'a\ufffdb\ufffd' });
    }
  });
});

test.each([
  ['completed', 'success', ' SUCCEEDED', 'Completed', 'done\n', 'Success'],
  ['failed', 'FAILED', 'failure', 'Error'],
  ['running', 'Running', 'progress', 'processing', 'in_progress', 'in progress', 'In-Progress'],
])('%s and other words for it have the same meaning for specs and images', (status, ...words) => {
  for (const word of [status, ...words]) {
    expect(spec({ status: word }).status).toBe(status);
    expect(image({ status: word }).status).toBe(status === 'completed' ? 'succeeded' : status);
  }
});

describe('the error of a callback', () => {
  const long = 'x'.repeat(10_001);
  test.each<[unknown, string | undefined]>([
    ['no light', 'no light'],
    ['  ', undefined],
    [null, undefined],
    [{}, undefined],
    [[], undefined],
    [false, undefined],
    [500, '500'],
    [{ message: 'no light', code: 4 }, 'no light'],
    [{ code: 4, error: { message: 'no light' } }, 'no light'],
    [{ message: '', description: 'no light' }, 'no light'],
    [{ detail: [{ loc: ['body', 'size'], msg: 'no size' }, { msg: 'no seed' }] }, 'no size; no seed'],
    [['no size', { message: 'no seed' }, {}], 'no size; no seed'],
    [[{ message: 'no light' }], 'no light'],
    [{ code: 4, inner: { x: null } }, '{"code":4,"inner":{"x":null}}'],
    [true, 'true'],
  ])('%j ends the run with %j', (error, reason) => {
    for (const read of [spec, image]) {
      expect(read({ status: 'failed', error })).toMatchObject({ status: 'failed', notes: [] });
      expect(read({ status: 'failed', error })).toHaveProperty('error', reason);
    }
  });

  test.each([[long], [{ message: long }], [[long, long]], [{ code: long }]])(
    'of more than 10,000 characters is cut, with a note (%#)',
    (error) => {
      const read = spec({ status: 'failed', error });
      expect(read).toMatchObject({ notes: ['error was cut to 10,000 characters.'] });
      expect(read).toHaveProperty('error.length', 10_000);
    },
  );
});

test.each<[unknown, number | undefined, string[]]>([
  [0.4, 0.4, []],
  ['0.4', 0.4, []],
  [' .4 ', 0.4, []],
  [[1], 1, []],
  [null, undefined, []],
  [50, 0.5, ['progress 50 was read as 50%.']],
  ['12.5', 0.125, ['progress 12.5 was read as 12.5%.']],
  [101, undefined, ['progress must be from 0 to 1 and was left out.']],
  [-0.1, undefined, ['progress must be from 0 to 1 and was left out.']],
  ['half', undefined, ['progress must be a number and was left out.']],
  ['0x1', undefined, ['progress must be a number and was left out.']],
  [Number.POSITIVE_INFINITY, undefined, ['progress must be a number and was left out.']],
  [{}, undefined, ['progress must be a number and was left out.']],
])('the progress %j is read as %j', (progress, read, notes) => {
  expect(running({ progress, sections: 'ignored' })).toEqual({
    spec_upload_id: id,
    status: 'running',
    progress: read,
    notes,
  });
});

test('a note of a report is a line of at most 200 characters', () => {
  expect(running({ note: ' Page\n3 ' })).toMatchObject({ note: 'Page 3', notes: [] });
  expect(running({ note: 3 })).toMatchObject({ note: '3', notes: [] });
  expect(running({ note: '語'.repeat(201) })).toMatchObject({
    note: '語'.repeat(200),
    notes: ['note was cut to 200 characters.'],
  });
  expect(running({ note: { page: 3 } })).toEqual({
    ...running({}),
    notes: ['note must be text and was left out.'],
  });
});

describe('the sections of a callback', () => {
  test.each<[unknown, number | undefined, string[]]>([
    [12, 12, []],
    ['12', 12, []],
    [0, 0, []],
    [1.5, 2, ['sections_count was changed from 1.5 to 2.']],
    [-1, 0, ['sections_count was changed from -1 to 0.']],
    [1e12, 1_000_000, ['sections_count was changed from 1000000000000 to 1000000.']],
    ['twelve', undefined, ['sections_count must be a number and was left out.']],
    ['', undefined, []],
  ])('the sections_count %j is read as %j', (sections_count, count, notes) => {
    expect(spec({ sections_count })).toMatchObject({ notes });
    expect(spec({ sections_count })).toHaveProperty('sections_count', count);
  });

  const A = { title: 'A' };
  test.each<[string, unknown, unknown, string[]]>([
    ['missing', null, [], []],
    ['empty', [], [], []],
    ['an empty object', {}, [], []],
    [
      'documented',
      [{ title: 'A', page: 2, level: 1, text: 'a\nb' }, A],
      [{ title: 'A', page: 2, level: 1, text: 'a\nb' }, A],
      [],
    ],
    ['JSON in text', '[{"title":"A"}]', [A], []],
    ['one object', A, [A], []],
    ['one title', 'A', [A], []],
    ['titles', ['A', 'B'], [A, { title: 'B' }], []],
    ['JSON objects in text', ['{"title":"A"}', '{'], [A, { title: '{' }], []],
    ['numbers as text', [{ title: 3, page: '12', level: '2' }], [{ title: '3', page: 12, level: 2 }], []],
    ['with empty fields', [{ title: 'A', page: null, level: '', text: '' }], [A], []],
    ['with a title of blanks', [{ title: ' \n' }, A], [A], ['Section 1 has no title and was left out.']],
    ['with no object', [A, null, A], [A, A], ['Section 2 has no title and was left out.']],
    [
      'with bad fields',
      [A, { title: 'B', page: 0, level: 1.5, text: ['a', 'b'] }],
      [A, { title: 'B' }],
      [
        'Section 2: page must be a whole number from 1 to 100,000 and was left out.',
        'Section 2: level must be a whole number from 1 and was left out.',
        'Section 2: text must be text and was left out.',
      ],
    ],
    [
      'with a deep level',
      [{ ...A, level: 25 }],
      [{ ...A, level: 20 }],
      ['Section 1: level was changed from 25 to 20.'],
    ],
    [
      'with long texts',
      [{ title: 'x'.repeat(301), text: '語'.repeat(20_001) }],
      [{ title: 'x'.repeat(300), text: '語'.repeat(20_000) }],
      ['Section 1: title was cut to 300 characters.', 'Section 1: text was cut to 20,000 characters.'],
    ],
  ])('are read if they are %s', (_name, sections, read, notes) => {
    expect(spec({ sections })).toEqual({ ...spec({}), sections: read, notes });
  });

  test('beyond the first 2,000 are left out, with a note', () => {
    const read = spec({ sections: Array.from({ length: 2_001 }, (_, i) => ({ title: `${i}` })) });
    expect(read).toMatchObject({ notes: ['2,001 sections were reported; the first 2,000 were used.'] });
    expect(read).toHaveProperty('sections.length', 2_000);
  });

  test('get at most 50 notes', () => {
    const { notes } = spec({ sections: Array.from({ length: 2_000 }, () => ({ title: 'A', page: 0 })) });
    expect(notes).toHaveLength(51);
    expect(notes.at(-1)).toBe('1950 more notes were left out.');
  });

  test('are not read from a failure', () => {
    expect(spec({ status: 'failed', sections: [{}] })).toMatchObject({ sections: [], notes: [] });
  });
});

describe('the outputs of a callback', () => {
  const noId = { path };
  const one = { variant_id: 'v1', path };
  const meta = { null: null, empty: '', nested: { list: [], object: {}, text: '', null: [null] }, '': 0 };
  test.each<[string, unknown, unknown, string[]]>([
    ['missing', '', [], []],
    ['empty', [], [], []],
    ['an empty object', {}, [], []],
    [
      'documented',
      [{ ...one, thumb_path: `${path}-thumb`, meta }],
      [{ ...one, thumb_path: `${path}-thumb`, meta }],
      [],
    ],
    ['JSON in text', JSON.stringify([one]), [one], []],
    ['one object', one, [one], []],
    ['one path', path, [noId], []],
    ['paths', [path, ` ${path}\n`], [noId, noId], []],
    ['without ids', [noId, { variant_id: '', path }, { variant_id: '\u0007', path }], [noId, noId, noId], []],
    ['with numbers as ids', [{ variant_id: 1, path }], [{ variant_id: '1', path }], []],
    ['with empty fields', [{ ...one, thumb_path: '', meta: '' }], [one], []],
    ['with meta as JSON in text', [{ ...one, meta: JSON.stringify(meta) }], [{ ...one, meta }], []],
    ['with an empty meta', [{ ...one, meta: {} }], [{ ...one, meta: {} }], []],
    [
      'with bad fields',
      [one, { variant_id: {}, path, thumb_path: true, meta: 'seed 7' }],
      [one, noId],
      [
        'Image 2: variant_id must be text and was left out.',
        'Image 2: thumb_path must be text and was left out.',
        'Image 2: meta must be an object and was left out.',
      ],
    ],
    [
      'with a list as meta',
      [{ ...one, meta: [1, 2] }],
      [one],
      ['Image 1: meta must be an object and was left out.'],
    ],
    ['without a path', [{ variant_id: 'v1' }, null], [{ variant_id: 'v1', path: null }, { path: null }], []],
    [
      'with a bad path',
      [{ path: [1, 2] }],
      [{ path: null }],
      ['Image 1: path must be text and was left out.'],
    ],
  ])('are read if they are %s', (_name, output_paths, read, notes) => {
    expect(image({ output_paths })).toEqual({ ...image({}), output_paths: read, notes });
    expect(image({ status: 'running', output_paths })).toMatchObject({ output_paths: read, notes });
  });

  test('are not read from a failure', () => {
    expect(image({ status: 'failed', output_paths: [{}] })).toMatchObject({ output_paths: [], notes: [] });
  });
});

describe('any callback', () => {
  const tidyText = (maxLength: number) =>
    anyText({ maxLength })
      .map((text) => text.replace(/\p{Cc}/gu, ' ').trim())
      .filter((text) => text !== '');
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const progress = {
    progress: optional(fc.double({ min: 0, max: 1, noNaN: true })),
    note: optional(tidyText(200)),
  };
  const uuid = fc.uuid();

  const sections = fc.array(
    fc.record({
      title: tidyText(300),
      page: optional(fc.integer({ min: 1, max: 100_000 })),
      level: optional(fc.integer({ min: 1, max: 20 })),
      text: optional(tidyText(100)),
    }),
    { maxLength: 5 },
  );
  const specBodies = fc.oneof(
    fc.record({
      spec_upload_id: uuid,
      status: fc.constant('completed'),
      sections_count: optional(fc.nat(1_000_000)),
      sections,
      error: optional(tidyText(100)),
    }),
    fc.record({ spec_upload_id: uuid, status: fc.constant('running'), ...progress }),
  );
  const outputs = fc.array(
    fc.record({
      variant_id: tidyText(300),
      path: tidyText(100),
      thumb_path: optional(tidyText(100)),
      meta: optional(fc.dictionary(fc.string(), fc.jsonValue())),
    }),
    { maxLength: 5 },
  );
  const imageBodies = fc.oneof(
    fc.record({
      job_id: uuid,
      status: fc.constant('succeeded'),
      output_paths: outputs,
      error: optional(tidyText(100)),
    }),
    fc.record({ job_id: uuid, status: fc.constant('running'), output_paths: outputs, ...progress }),
  );

  test.each([
    ['spec', specBodies, specCallbackBody, readSpecCallback],
    ['image', imageBodies, imageCallbackBody, readImageCallback],
  ] as const)(
    'of a %s in the documented form is read unchanged and without notes',
    (_kind, bodies, schema, read) => {
      fc.assert(
        fc.property(bodies as fc.Arbitrary<object>, (body) => {
          expect(schema.safeParse(body).error).toBeUndefined();
          expect(read(body, {})).toEqual({ ...body, notes: [] });
        }),
        { seed },
      );
    },
  );

  const anyBody = (right: Record<string, unknown>) =>
    fc.oneof(
      fc.jsonValue(),
      wrongBodies(right),
      wrongBodies(right).map((body) => ({ data: [JSON.stringify(body)] })),
    );
  test.each([
    [
      'spec',
      { spec_upload_id: id, status: 'completed', sections_count: 3, sections: [{ title: 'A' }], error: 'x' },
      specCallbackBody,
      readSpecCallback,
    ],
    [
      'spec',
      { spec_upload_id: id, status: 'running', progress: 0.4, note: 'x' },
      specCallbackBody,
      readSpecCallback,
    ],
    [
      'image',
      { job_id: id, status: 'succeeded', output_paths: [{ variant_id: 'v1', path, meta: {} }], error: 'x' },
      imageCallbackBody,
      readImageCallback,
    ],
    ['image', { job_id: id, status: 'failed', error: {} }, imageCallbackBody, readImageCallback],
  ] as const)(
    'of a %s is read in the documented form, or refused with the field (%#)',
    (_kind, right, schema, read) => {
      fc.assert(
        fc.property(anyBody(right), (body) => {
          const json = parseJson(Buffer.from(JSON.stringify(body)), 500, 'replace');
          try {
            const { notes, ...report } = read(json, {});
            const outputs = 'output_paths' in report ? report.output_paths : [];
            const numbered = outputs.map((output, i) => ({
              ...output,
              variant_id: output.variant_id ?? `v${i}`,
              path: output.path ?? '',
            }));
            expect(schema.safeParse({ ...report, output_paths: numbered }).error).toBeUndefined();
            expect(JSON.stringify([report, notes])).not.toMatch(/\\u0000|\\ud[89a-f]/i);
          } catch (error) {
            expect(error).toBeInstanceOf(HttpError);
            expect(error).toMatchObject({ code: 'invalid_request', extra: { errors: [{}] } });
          }
        }),
        { seed, numRuns: 500 },
      );
    },
  );
});
