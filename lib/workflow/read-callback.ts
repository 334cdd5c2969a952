import type { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { withoutControls } from '@/lib/http/pasted-text';
import { withKnownNames } from '@/lib/http/read-fields';
import { parseJsonText } from '@/lib/http/read-json';
import { uuid } from '@/lib/http/uuid';
import { idFields, MAX_CALLBACK_DEPTH, MAX_EXECUTION } from './callback-schema';

const MAX_ERROR = 10_000;
const MAX_NOTE = 200;
/** Maximum number of notes about one callback; any more are only counted. */
const MAX_NOTES = 50;

type Json = Record<string, z.core.util.JSONType>;
type Note = (note: string) => void;
type Source = keyof typeof idFields;

const statusWords = {
  success: ['success', 'succeeded', 'completed', 'done'],
  failed: ['failed', 'failure', 'error'],
  running: ['running', 'progress', 'processing', 'in_progress'],
};

/** The fields of an error object that can have the reason, in the order in which they are tried. */
const reasonFields = ['message', 'error', 'detail', 'description', 'msg'];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Returns the element of a list of one, at any depth. Returns any other value as it is. */
function single(value: unknown): unknown {
  let inner = value;
  while (Array.isArray(inner) && inner.length === 1) inner = inner[0];
  return inner;
}

const has = (object: Record<string, unknown>, field: string) => !isBlank(single(object[field]));

/** Returns the value of a text that is JSON. Returns any other value as it is. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*["[{]/.test(value)) return value;
  try {
    return parseJsonText(value, MAX_CALLBACK_DEPTH, 'replace');
  } catch {
    return value;
  }
}

/** Takes a value out of lists of one and JSON in text, in any order. */
function unwrap(value: unknown): unknown {
  let inner = value;
  for (;;) {
    const next = parsed(single(inner));
    if (next === inner) return inner;
    inner = next;
  }
}

/** Returns the value as an object, or undefined if it has no object. */
export function objectIn(value: unknown): Json | undefined {
  const inner = unwrap(value);
  return isObject(inner) ? inner : undefined;
}

/** Returns a list that is sent as it is, as JSON in text, or as its only item. */
function listIn(value: unknown): unknown[] {
  const inner = unwrap(value);
  if (Array.isArray(inner)) return inner;
  const isEmpty = isBlank(value) || (isObject(inner) && Object.keys(inner).length === 0);
  return isEmpty ? [] : [inner];
}

/** Names the fields of an object as they are meant, with a note for each that had a similar name. */
function withMeantNames<Given extends Record<string, unknown>>(
  object: Given,
  known: readonly string[],
  note: Note,
  where = '',
): Given {
  const { fields, misnamed } = withKnownNames(object, known);
  for (const [name, meant] of misnamed) note(`${where}${name} was taken as ${meant}.`);
  return fields as Given;
}

/** Returns the object that has the fields of a callback, without the `data` or `body` that is around it. */
function bodyIn(json: unknown, idField: string, known: readonly string[], note: Note): Json | undefined {
  const open = (value: unknown) => {
    const object = objectIn(value);
    return object && withMeantNames(object, [...known, 'data', 'body'], note);
  };
  let body = open(json);
  while (body && !has(body, idField)) {
    const wrapped = [open(body.data), open(body.body)].filter((inner) => inner !== undefined);
    const whole = wrapped.find((inner) => has(inner, idField) && has(inner, 'status'));
    const next = whole ?? (has(body, 'status') ? undefined : wrapped[0]);
    if (!next) return body;
    body = next;
  }
  return body;
}

/** Reads an id. Ignores a leading `=`, which n8n leaves in front of a value that was meant as an expression. */
function idIn(value: unknown): string | undefined {
  const text = single(value);
  return typeof text === 'string' ? uuid.safeParse(text.trim().replace(/^=\s*/, '')).data : undefined;
}

/** Returns the id of the spec or image job that a callback's body or, if it has none, its URL names. */
export function callbackId(source: Source, json: unknown, urlId: string | null): string | undefined {
  const idField = idFields[source];
  return idIn(bodyIn(json, idField, [idField, 'status'], () => {})?.[idField]) ?? idIn(urlId);
}

function statusIn(value: unknown): keyof typeof statusWords | undefined {
  const text = single(value);
  if (typeof text !== 'string') return undefined;
  const word = text.trim().toLowerCase().replace(/[\s-]/g, '_');
  return (['success', 'failed', 'running'] as const).find((status) => statusWords[status].includes(word));
}

/** Returns the words of an error of any form, such as FastAPI's `{ "detail": [{ "msg": "…" }] }`. */
function reasonIn(value: unknown): string | undefined {
  if (typeof value === 'string') return isBlank(value) ? undefined : value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.flatMap((each) => reasonIn(each) ?? []).join('; ') || undefined;
  if (!isObject(value)) return undefined;
  for (const field of reasonFields) {
    const reason = reasonIn(value[field]);
    if (reason) return reason;
  }
  return undefined;
}

/** Returns the error as text: its words or, if it has none, its JSON. */
function errorIn(value: unknown): string | undefined {
  const isEmpty = !value || isBlank(value) || (typeof value === 'object' && Object.keys(value).length === 0);
  return isEmpty ? undefined : (reasonIn(value) ?? JSON.stringify(value));
}

function numberIn(value: unknown): number | undefined {
  const inner = single(value);
  const isDigits = typeof inner === 'string' && /^\s*[-+.\de]+\s*$/i.test(inner);
  const number = isDigits ? Number(inner) : inner;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * Reads the fields of an object in a callback, whose names are `known`. A field that is missing, null or blank is undefined, and so is one that
 * cannot be read, with a note. `where`, such as `Section 2: `, begins the notes.
 */
export function fieldsOf(given: Record<string, unknown>, known: readonly string[], note: Note, where = '') {
  const object = withMeantNames(given, known, note, where);
  function leaveOut(field: string, reason: string): undefined {
    note(`${where}${field} ${reason} and was left out.`);
  }
  function cut(field: string, text: string, max: number): string {
    const kept = text.length > max ? [...text].slice(0, max).join('') : text;
    if (kept !== text) note(`${where}${field} was cut to ${max.toLocaleString('en')} characters.`);
    return kept;
  }
  function number(field: string): number | undefined {
    if (!has(object, field)) return undefined;
    return numberIn(object[field]) ?? leaveOut(field, 'must be a number');
  }
  /** Returns a text without control characters and cut to `max` characters. A number counts as text. */
  function text(field: string, max = Number.POSITIVE_INFINITY, options?: { multiline: boolean }) {
    if (!has(object, field)) return undefined;
    const value = single(object[field]);
    if (typeof value !== 'string' && typeof value !== 'number') return leaveOut(field, 'must be text');
    return cut(field, withoutControls(String(value), options), max) || undefined;
  }
  return {
    note,
    leaveOut,
    number,
    text,
    /** Returns the number that replaces the reported one, with a note if they differ. */
    changed(field: string, from: number, to: number): number {
      if (from !== to) note(`${where}${field} was changed from ${from} to ${to}.`);
      return to;
    },
    object(field: string): Json | undefined {
      if (!has(object, field)) return undefined;
      return objectIn(object[field]) ?? leaveOut(field, 'must be an object');
    },
    list: (field: string): unknown[] => listIn(object[field]),
    error(): string | undefined {
      const reason = errorIn(single(object.error));
      return reason === undefined ? undefined : cut('error', reason, MAX_ERROR);
    },
  };
}
export type Fields = ReturnType<typeof fieldsOf>;

/** Reads the fields that progress reports of specs and images share. Progress above 1 counts as a percentage. */
export function readProgress(fields: Fields) {
  let progress = fields.number('progress');
  if (progress !== undefined && (progress < 0 || progress > 100)) {
    progress = fields.leaveOut('progress', 'must be from 0 to 1');
  } else if (progress !== undefined && progress > 1) {
    fields.note(`progress ${progress} was read as ${progress}%.`);
    progress /= 100;
  }
  const execution = fields.text('execution', MAX_EXECUTION);
  return { progress, note: fields.text('note', MAX_NOTE), execution };
}

function makeNotes() {
  const kept: string[] = [];
  let more = 0;
  return {
    note(note: string) {
      if (kept.length < MAX_NOTES) kept.push(note);
      else more += 1;
    },
    all: () => (more > 0 ? [...kept, `${more} more notes were left out.`] : kept),
  };
}

function refused(field: string, message: string, detail: string): HttpError {
  return new HttpError('invalid_request', detail, { errors: [{ path: field, message }] });
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value === null ? 'null' : `a ${typeof value}`;
}

type CallbackKind<Success> = {
  source: Source;
  success: Success;
  known: readonly string[];
  urlId?: string | null;
};

/**
 * Reads what the callbacks of specs and images have in common. Accepts every form in which the id and the status are
 * clear. `success` is the kind's word for a success, `known` the names of its fields, and `urlId` the id in the URL, which is used if the body has none.
 * `notes` returns the notes so far. Throws `invalid_request` if there is no object, no id or no status.
 */
export function readCallback<Success extends string>(
  { source, success, known, urlId = null }: CallbackKind<Success>,
  json: unknown,
) {
  const idField = idFields[source];
  const { note, all: notes } = makeNotes();
  const body = bodyIn(json, idField, known, note);
  if (!body)
    throw refused('', 'must be an object', `The body must be an object, not ${kindOf(unwrap(json))}.`);
  const ownId = idIn(body[idField]);
  const id = ownId ?? idIn(urlId);
  if (!id) {
    if (!has(body, idField)) throw refused(idField, 'is missing', `The body has no ${idField}.`);
    throw refused(idField, 'must be a UUID', `${idField} must be a UUID.`);
  }
  if (!ownId && has(body, idField)) note(`${idField} must be a UUID; the callback URL's was used.`);
  if (!has(body, 'status')) throw refused('status', 'is missing', 'The body has no status.');
  const word = statusIn(body.status);
  if (!word) {
    const message = `must be ${success}, failed or running`;
    throw refused('status', message, `status ${message}.`);
  }
  const status: Success | 'failed' | 'running' = word === 'success' ? success : word;
  return { id, status, fields: fieldsOf(body, known, note), notes };
}
