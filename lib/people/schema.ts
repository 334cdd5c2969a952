import { z } from 'zod';
import { cursorParam, limitParam } from '@/lib/http/page';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

const name = text({ max: 80 });
/** The maximum length of an email address to which mail can be sent (RFC 5321, 4.5.3.1.3). */
const MAX_EMAIL = 254;
const email = z.email().max(MAX_EMAIL);

const MIN_PASSWORD = 10;
/** The maximum length of a password in bytes. bcrypt, which hashes passwords, ignores everything after 72 bytes. */
const MAX_PASSWORD_BYTES = 72;

/** A new password, limited by `MIN_PASSWORD` and `MAX_PASSWORD_BYTES`. */
export const password = z
  .string()
  .min(MIN_PASSWORD, `must have at least ${MIN_PASSWORD} characters`)
  .max(MAX_PASSWORD_BYTES, { error: `must have at most ${MAX_PASSWORD_BYTES} bytes`, abort: true })
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must not contain broken characters')
  .refine(
    (value) => new TextEncoder().encode(value).length <= MAX_PASSWORD_BYTES,
    `must have at most ${MAX_PASSWORD_BYTES} bytes`,
  );

/** The path of a person's picture, or null if the person has none. A new picture has a new path. */
const picture = z.string().nullable();

/** The signed-in person's account. */
export const account = z.object({
  id: uuid,
  email: z.string(),
  name: z.string().nullable(),
  picture,
  isAdmin: z.boolean(),
});
export type Account = z.infer<typeof account>;

/** A change to the caller's account. If `name` is missing, the account's current name is removed. */
export const accountBody = z.object({ name: name.optional() });
export const changePasswordBody = z.object({
  currentPassword: z.string().min(1).max(1_000),
  newPassword: password,
});
export const pictureForm = z.object({ file: z.file() });
export const pictureSaved = z.object({ picture });
export const pictureParams = z.object({ id: uuid });
export const pictureQuery = z.object({
  /** The version of the picture. Browsers may cache the response only if this is the current version. */
  v: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'must be a version of a picture')
    .optional(),
});
/** A picture, and whether it has the version that was requested. */
export const pictureFile = z.object({ file: z.instanceof(Blob), isOfVersion: z.boolean() });
/** The maximum size of an uploaded picture in bytes (15 MiB). */
export const MAX_PICTURE_BYTES = 15 * 1024 * 1024;

/** A request to email a link for choosing a new password. */
export const resetBody = z.object({ email });

/** What a link is for: choosing the first password of an invited account, or resetting a password. */
export const linkPurpose = z.enum(['invitation', 'reset']);
const token = z.string().regex(/^[\w-]{43}$/, 'must be the part of a link after #');
export const linkBody = z.object({ token });
export const linkInfo = z.object({ email: z.string(), purpose: linkPurpose, expiresAt: time });
export type LinkInfo = z.infer<typeof linkInfo>;
/** A new password chosen through a link. If the name is missing, the account keeps its name. */
export const linkPasswordBody = z.object({ token, password, name: name.optional() });
export const linkUsed = z.object({ email: z.string() });

/**
 * - `invited`: has not chosen a password yet.
 * - `active`: can sign in.
 * - `disabled`: cannot sign in, and the person's sessions and access tokens do not work.
 */
export const personState = z.enum(['invited', 'active', 'disabled']);
export type PersonState = z.infer<typeof personState>;

export const person = z.object({
  id: uuid,
  email: z.string(),
  name: z.string().nullable(),
  picture,
  isAdmin: z.boolean(),
  state: personState,
  /**
   * The later of two times: the person's last sign-in, and the last renewal of a session that still exists. Null if the
   * person has never signed in.
   */
  lastSeenAt: time.nullable(),
  /** The state of the latest link that an administrator sent by email; null if there is none. */
  mail: z.object({ state: z.enum(['pending', 'sent', 'failed']), reason: z.string().nullable() }).nullable(),
  createdAt: time,
});
export type Person = z.infer<typeof person>;
export const listPeopleQuery = z.object({
  /** Part of a name or email address. */
  q: text({ max: 200 }).optional(),
  state: personState.optional(),
  limit: limitParam,
  cursor: cursorParam,
});
export type ListPeopleQuery = z.output<typeof listPeopleQuery>;
export const peopleResponse = z.object({ people: z.array(person), nextCursor: z.string().nullable() });
export type PeopleResponse = z.infer<typeof peopleResponse>;

/** With `copy`, the link is returned instead of being sent. */
export const inviteBody = z.object({
  // Addresses in this domain belong to service accounts, which the list of people omits.
  email: email.refine((value) => !/@service\.invalid$/i.test(value), 'must be the address of a person'),
  isAdmin: z.boolean().default(false),
  copy: z.boolean().default(false),
});
export type InviteBody = z.output<typeof inviteBody>;
/** A one-time link. `url` is null if the link is sent by email. No other response contains the URL. */
export const accountLink = z.object({
  personId: uuid,
  purpose: linkPurpose,
  url: z.string().nullable(),
  expiresAt: time.nullable(),
});
export type AccountLink = z.infer<typeof accountLink>;

export const createLinkBody = z.object({ copy: z.boolean().default(false) });

export const personParams = z.object({ id: uuid });
export const changePersonBody = z
  .object({ isAdmin: z.boolean().optional(), isDisabled: z.boolean().optional() })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'must contain a change');
export type ChangePersonBody = z.output<typeof changePersonBody>;
