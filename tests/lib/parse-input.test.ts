import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { imageJobExample } from '@/app/openapi/example-data';
import { parseInput, singleParams } from '@/lib/http/parse';
import { withKnownNames } from '@/lib/http/read-fields';
import { text } from '@/lib/http/text';
import { uuid } from '@/lib/http/uuid';
import { createJobBody, imageSize, listJobsQuery } from '@/lib/image-gen/schema';

const refusal = (schema: z.ZodType, value: unknown) => {
  try {
    parseInput(schema, value);
  } catch (error) {
    return (error as Error).message;
  }
  return null;
};

describe('messages of parseInput', () => {
  const body = z.object({
    name: text({ max: 5 }),
    count: z.int().min(1).max(9),
    tags: z.array(z.string()).min(1).max(2),
    kind: z.enum(['spec', 'image', 'page']),
    id: uuid,
    email: z.email(),
    when: z.iso.datetime(),
    flag: z.boolean(),
    shape: z.discriminatedUnion('type', [
      z.object({ type: z.literal('dot') }),
      z.object({ type: z.literal('line') }),
    ]),
  });
  const right = {
    name: 'a',
    count: 1,
    tags: ['x'],
    kind: 'spec',
    id: '00000000-0000-0000-0000-000000000001',
    email: 'a@b.example',
    when: '2026-01-31T12:00:00Z',
    flag: true,
    shape: { type: 'dot' },
  };
  const without = ({ name: _, ...rest }: typeof right) => rest;

  test.each<[string, unknown]>([
    ['name is missing.', without(right)],
    ['id is missing.', { ...right, id: undefined }],
    ['name must be text.', { ...right, name: 7 }],
    ['name must be text.', { ...right, name: null }],
    ['name must not be empty.', { ...right, name: '' }],
    ['name must have at most 5 characters.', { ...right, name: '123456' }],
    ['count must be a whole number.', { ...right, count: 1.5 }],
    ['count must be a number.', { ...right, count: '1' }],
    ['count must be at least 1.', { ...right, count: 0 }],
    ['count must be at most 9.', { ...right, count: 10 }],
    ['tags must be a list.', { ...right, tags: 'x' }],
    ['tags must not be empty.', { ...right, tags: [] }],
    ['tags must have at most 2 items.', { ...right, tags: ['x', 'y', 'z'] }],
    ['tags.0 must be text.', { ...right, tags: [{}] }],
    ['kind must be spec, image or page.', { ...right, kind: 'other' }],
    ['id must be a UUID.', { ...right, id: 'x' }],
    ['email must be an email address.', { ...right, email: 'x' }],
    ['when must be a time such as 2026-01-31T12:00:00.000Z.', { ...right, when: 'today' }],
    ['flag must be true or false.', { ...right, flag: 'yes' }],
    ['shape.type must be dot or line.', { ...right, shape: { type: 'arc' } }],
    ['The body must be an object.', null],
    ['The body must be an object.', []],
  ])('parseInput reports: %s', (message, value) => {
    expect(refusal(body, right)).toBeNull();
    expect(refusal(body, value)).toBe(message);
  });
});

describe('misnamed fields', () => {
  const shapes = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('dot'), radius: z.number() }),
    z.object({ kind: z.literal('line'), lineWidth: z.number().optional() }),
  ]);
  const schema = z.object({
    projectId: z.string(),
    status: z.string().optional(),
    shapes: z.array(shapes).optional(),
    cells: z.array(z.union([z.string(), z.object({ altText: z.string() })])).optional(),
    meta: z.record(z.string(), z.unknown()).optional(),
  });

  test.each<[object, string]>([
    [{ project_id: 'a' }, 'project_id is not known (did you mean projectId?).'],
    [{ projectId: 'a', Status: 'b' }, 'Status is not known (did you mean status?).'],
    [{ projectId: 'a', 'status[]': 'b' }, 'status[] is not known (did you mean status?).'],
    [{ projectId: 'a', 'status[0]': 'b' }, 'status[0] is not known (did you mean status?).'],
    // Also if the right name is there too, because one of them would be ignored.
    [{ projectId: 'a', 'project-id': 'a' }, 'project-id is not known (did you mean projectId?).'],
    [
      { projectId: 'a', shapes: [{ kind: 'line', line_width: 1 }] },
      'shapes.0.line_width is not known (did you mean lineWidth?).',
    ],
    [{ projectId: 'a', shapes: [{ Kind: 'line' }] }, 'shapes.0.Kind is not known (did you mean kind?).'],
    [
      { projectId: 'a', cells: ['x', { alttext: 'y' }] },
      'cells.1.alttext is not known (did you mean altText?).',
    ],
  ])('%j is refused, and the message says which name is meant', (given, message) => {
    expect(refusal(schema, given)).toBe(message);
  });

  test('other unknown fields are ignored, and the names in free JSON are free', () => {
    const given = {
      projectId: 'a',
      state: 'b',
      _: 1,
      ['_'.repeat(200)]: 1,
      shapes: [{ kind: 'dot', radius: 1, line_width: 2 }],
      meta: { Status: 1, project_id: 2 },
    };
    expect(parseInput(schema, given)).toEqual({
      projectId: 'a',
      shapes: [{ kind: 'dot', radius: 1 }],
      meta: given.meta,
    });
  });

  test('a misnamed field takes the place of the one that is meant, unless that is there as well', () => {
    expect(withKnownNames({ Job_ID: 1, x: 2 }, ['job_id', 'status'])).toEqual({
      fields: { job_id: 1, x: 2 },
      misnamed: [['Job_ID', 'job_id']],
    });
    const both = withKnownNames({ jobId: 1, job_id: 2, 'job-id': 3 }, ['job_id']);
    expect(both.fields).toEqual({ job_id: 2 });
    expect(both.misnamed.map(([name]) => name)).toEqual(['jobId', 'job-id']);
    const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":1,"Status":2}');
    expect(Object.keys(withKnownNames(hostile, ['status']).fields)).toEqual([
      '__proto__',
      'constructor',
      'status',
    ]);
  });

  test('a misnamed query parameter is refused', () => {
    const { projectId } = imageJobExample;
    for (const name of ['Status', 'status[]', 'STATUS']) {
      const query = new URLSearchParams({ projectId, [name]: 'failed', utm_source: 'x' });
      expect(refusal(listJobsQuery, singleParams(query))).toBe(
        `${name} is not known (did you mean status?).`,
      );
    }
  });
});

describe('uuid', () => {
  test.each([
    '00000000-0000-0000-0000-000000000001',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '018f4e7c-9a3b-7cde-8f01-23456789abcd',
    'c0a7e6d4-3e5b-af7a-0a94-7b3d2e1f0a63',
  ])('the id %s is accepted in either case, and lowercased', (id) => {
    expect(uuid.parse(id)).toBe(id);
    expect(uuid.parse(id.toUpperCase())).toBe(id);
  });

  test.each(['', 'x', '00000000-0000-0000-0000-00000000000', '{00000000-0000-0000-0000-000000000001}'])(
    'the id %j is refused',
    (id) => {
      expect(uuid.safeParse(id).success).toBe(false);
    },
  );
});

describe('imageSize', () => {
  test.each(['1024x768', '1024 x 768', ' 1024X768 ', '1024×768', '1024 ×\t768'])(
    'the image size %j is read as 1024x768',
    (size) => {
      expect(imageSize.parse(size)).toBe('1024x768');
    },
  );

  test('an image size has 16 to 16,384 pixels a side', () => {
    expect(imageSize.parse('16384x16')).toBe('16384x16');
    expect(imageSize.safeParse('16385x64').success).toBe(false);
    expect(imageSize.safeParse('15x64').success).toBe(false);
  });

  test.each(['1024', '1024x', 'x768', '064x64', '1e3x64', '0x40x64', '-64x64', '64x64x64', '64*64'])(
    'the image size %j is refused',
    (size) => {
      expect(imageSize.safeParse(size).success).toBe(false);
    },
  );
});

test('a job that was read can be sent as the body that creates another job', () => {
  const { projectId, prompt, materialIds, materialPayload, options } = imageJobExample;
  expect(parseInput(createJobBody, imageJobExample)).toEqual({
    projectId,
    prompt,
    materialIds,
    materialPayload,
    options,
  });
});

test('a filter or cursor without a value counts as absent', () => {
  const { projectId } = imageJobExample;
  expect(parseInput(listJobsQuery, { projectId, status: '', limit: '', cursor: '' })).toEqual({
    projectId,
    limit: 20,
  });
});

test.each([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, 2 ** 40, 1.5, -0.1, 1e-7])(
  'the seed %f is accepted',
  (seed) => {
    const { projectId } = imageJobExample;
    expect(parseInput(createJobBody, { projectId, prompt: 'x', options: { seed } }).options).toEqual({
      seed,
    });
  },
);
