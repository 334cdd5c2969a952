import { z } from 'zod';
import { callApi } from '@/lib/http/client';
import { sendForm } from '@/lib/http/upload';
import { type Account, account, type LinkInfo, linkInfo, linkUsed, pictureSaved } from '@/lib/people/schema';

const nothing = z.undefined();

/** Sets the signed-in user's name. An empty string removes the name. */
export function saveName(name: string): Promise<Account> {
  return callApi('/api/account', { method: 'PUT', body: { name }, schema: account });
}

export async function uploadPicture(file: File): Promise<void> {
  const form = new FormData();
  form.set('file', file);
  await sendForm('/api/account/picture', { form, schema: pictureSaved });
}

export async function removePicture(): Promise<void> {
  await callApi('/api/account/picture', { method: 'DELETE', schema: nothing });
}

export async function changePassword(body: { currentPassword: string; newPassword: string }): Promise<void> {
  await callApi('/api/account/password', { method: 'POST', body, schema: nothing });
}

export async function requestReset(email: string): Promise<void> {
  await callApi('/api/account/reset', { method: 'POST', body: { email }, schema: nothing });
}

export function readLink(token: string, signal: AbortSignal): Promise<LinkInfo> {
  return callApi('/api/account/link', { method: 'POST', body: { token }, schema: linkInfo, signal });
}

/**
 * Sets the password of the account to which an account link belongs. Also sets the account's name, unless `name` is
 * blank. Returns the account's email address.
 */
export async function consumeLink(link: { token: string; password: string; name: string }): Promise<string> {
  // The server accepts an empty name, but not a name that consists only of spaces.
  const body = { ...link, name: link.name.trim() };
  return (await callApi('/api/account/link/password', { method: 'POST', body, schema: linkUsed })).email;
}
