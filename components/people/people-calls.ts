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

/**
 * Returns one page of people, newest first. If `q` is not empty, returns only people whose name or email address
 * contains it.
 */
export function readPeople(q: string, cursor: string | null, signal: AbortSignal): Promise<PeopleResponse> {
  const query = new URLSearchParams({ ...pageParams(50, cursor), ...(q ? { q } : {}) });
  return callApi(`/api/admin/people?${query}`, { schema: peopleResponse, signal });
}

export function invitePerson(body: InviteBody): Promise<AccountLink> {
  return callApi('/api/admin/people', { method: 'POST', body, schema: accountLink });
}

/**
 * Sends the invitation again if the person has not accepted it yet. Otherwise, sends a link to choose a new password.
 * With `copy` or without a mail server, returns the link instead of sending it.
 */
export function createLink(id: string, copy: boolean): Promise<AccountLink> {
  return callApi(`/api/admin/people/${id}/link`, { method: 'POST', body: { copy }, schema: accountLink });
}

export function changePerson(id: string, body: ChangePersonBody): Promise<Person> {
  return callApi(`/api/admin/people/${id}`, { method: 'PATCH', body, schema: person });
}
