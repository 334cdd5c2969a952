import { methods, route } from '@/lib/http/route';
import { removePicture, uploadPicture } from '@/lib/people/profile';
import { pictureForm, pictureSaved } from '@/lib/people/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'session',
    summary: 'Uploads your own picture: a PNG, JPEG or WebP, which is cropped to a small square.',
    docs: { codes: ['invalid_image'] },
    rate: 'costly',
    form: pictureForm,
    status: 200,
    response: pictureSaved,
    handle: async ({ caller, request }) => ({ picture: await uploadPicture(request, caller.userId) }),
  }),
  DELETE: route({
    access: 'session',
    summary: 'Removes your own picture.',
    status: 204,
    handle: ({ caller }) => removePicture(caller.userId),
  }),
});
