import { expect, test } from 'vitest';
import { describeUploadError } from '@/components/specs/describe-upload-error';
import { ApiError } from '@/lib/http/client';

test('the message about a duplicate upload names no field of the API', () => {
  const detail = 'Use that spec, or send onDuplicate=keep to add the file again.';
  const duplicate = new ApiError(409, { code: 'duplicate_file', detail });
  expect(describeUploadError(duplicate)).toBe(
    'This file was already uploaded for this brand, area and property.',
  );
});

test('any other error keeps its own description', () => {
  const detail = 'A newer version already exists: v3. Replace that version instead.';
  expect(describeUploadError(new ApiError(409, { code: 'state_conflict', detail }))).toBe(detail);
});
