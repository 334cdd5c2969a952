import { pageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
import {
  type AccountLink,
  accountLink,
  type ChangePersonBody,
  type InviteBody,
  type PeopleResponse,
  type Person,
  peopleResponse,
  person,
} from '@/lib/people/schema';

/** Returns one page of people, newest first; with `q`, only those whose name or email address contains it. */
export function readPeople(q: string, cursor: string | null, signal: AbortSignal): Promise<PeopleResponse> {
  const query = new URLSearchParams({ ...pageParams(50, cursor), ...(q ? { q } : {}) });
  return callApi(`/api/admin/people?${query}`, { schema: peopleResponse, signal });
}

export function invitePerson(body: InviteBody): Promise<AccountLink> {
  return callApi('/api/admin/people', { method: 'POST', body, schema: accountLink });
}

/**
 * Sends an invited person the invitation again, anyone else a password link. With `copy` or without a mail server,
 * returns the link instead.
 */
export function createLink(id: string, copy: boolean): Promise<AccountLink> {
  return callApi(`/api/admin/people/${id}/link`, { method: 'POST', body: { copy }, schema: accountLink });
}

export function changePerson(id: string, body: ChangePersonBody): Promise<Person> {
  return callApi(`/api/admin/people/${id}`, { method: 'PATCH', body, schema: person });
}
