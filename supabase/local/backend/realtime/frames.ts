/** A message of the Phoenix protocol, serializer version 2.0.0. */
export type SocketFrame = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Record<string, unknown>;
};

/** A broadcast, whose payload is JSON or a Buffer. */
export type BroadcastBody = { event: string; payload: unknown; meta?: { id: string } };

const PUSH = 3;
const BROADCAST = 4;
const IS_JSON = 1;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * Parses a client's binary message. Returns null if it is not a broadcast. A broadcast starts with seven bytes: the
 * kind of the message, the lengths of the next five fields, and the encoding of the payload. Then come the join ref,
 * ref, topic, event and metadata, followed by the payload.
 */
function decodePush(bytes: Buffer): SocketFrame | null {
  if (bytes.length < 7 || bytes[0] !== PUSH) return null;
  const lengths = [...bytes.subarray(1, 6)];
  let offset = 7;
  const [joinRef = '', ref = '', topic = '', event = ''] = lengths.map((length) => {
    offset += length;
    return bytes.toString('utf8', offset - length, offset);
  });
  const rest = bytes.subarray(offset);
  const payload: unknown = bytes[6] === IS_JSON ? JSON.parse(rest.toString('utf8')) : Buffer.from(rest);
  return { joinRef, ref, topic, event: 'broadcast', payload: { type: 'broadcast', event, payload } };
}

/** Parses one message. Returns null if it does not follow the Phoenix protocol. Throws on invalid JSON. */
export function decodeFrame(bytes: Buffer, isBinary: boolean): SocketFrame | null {
  if (isBinary) return decodePush(bytes);
  const parsed: unknown = JSON.parse(bytes.toString('utf8'));
  if (!Array.isArray(parsed)) return null;
  const [joinRef, ref, topic, event, payload] = parsed as unknown[];
  if (typeof topic !== 'string' || typeof event !== 'string') return null;
  const body = isRecord(payload) ? payload : {};
  return { joinRef: textOrNull(joinRef), ref: textOrNull(ref), topic, event, payload: body };
}

/** Encodes a text message. */
export function encodeFrame({ joinRef, ref, topic, event, payload }: SocketFrame): string {
  return JSON.stringify([joinRef, ref, topic, event, payload]);
}

/** Encodes a broadcast to clients: JSON text, or binary if the payload is a Buffer. */
export function encodeBroadcast(topic: string, { event, payload, meta }: BroadcastBody): string | Buffer {
  if (!Buffer.isBuffer(payload)) {
    const body = { type: 'broadcast', event, payload, ...(meta ? { meta } : {}) };
    return encodeFrame({ joinRef: null, ref: null, topic, event: 'broadcast', payload: body });
  }
  const head = [topic, event, meta ? JSON.stringify(meta) : ''].map((text) => Buffer.from(text));
  const lengths = head.map((part) => part.length);
  return Buffer.concat([Buffer.from([BROADCAST, ...lengths, 0]), ...head, payload]);
}
