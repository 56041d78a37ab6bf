import * as z from 'zod/mini'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import { messageTypeInvalid } from './endings.ts'

/** The client's protocol 1.6: `{ type, payload, version }` as JSON, or a newline as heartbeat: `docs/exchange.md`. */
export const heartbeat = '\n'
const protocolVersion = '1.6'

const callsid = z.string().check(z.minLength(1), z.maxLength(64))
const sdp = z.string()

const clientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listen'), payload: z.object({ token: z.string() }) }),
  z.object({
    type: z.literal('register'),
    payload: z.object({ media: z.optional(z.object({ audio: z.optional(z.boolean()) })) }),
  }),
  z.object({
    type: z.literal('invite'),
    payload: z.object({
      callsid,
      sdp,
      twilio: z.optional(z.object({ params: z.optional(z.string().check(z.maxLength(4096))) })),
      reconnect: z.optional(z.string()),
    }),
  }),
  z.object({ type: z.literal('reinvite'), payload: z.object({ callsid, sdp }) }),
  z.object({ type: z.literal('hangup'), payload: z.object({ callsid }) }),
  z.object({
    type: z.literal('dtmf'),
    payload: z.object({ callsid, dtmf: z.string().check(z.regex(/^[0-9*#w]+$/), z.maxLength(5000)) }),
  }),
  z.object({ type: z.literal('answer'), payload: z.object({ callsid, sdp }) }),
  z.object({ type: z.literal('reject'), payload: z.object({ callsid }) }),
  z.object({
    type: z.literal('message'),
    payload: z.object({
      callsid,
      voiceeventsid: z.string(),
      messagetype: z.optional(z.string()),
      content: z.optional(z.unknown()),
    }),
  }),
])
export type ClientFrame = z.output<typeof clientFrame>

const anyFrame = z.object({ type: z.string() })
const knownTypes: ReadonlySet<string> = new Set(
  clientFrame.def.options.flatMap(option => option.shape.type.def.values),
)

export type ParsedFrame =
  | { readonly kind: 'frame'; readonly frame: ClientFrame }
  /** Well-formed, of an unknown type: to be ignored, as a later client may send it. */
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'malformed' }

export function parseFrame(text: string): ParsedFrame {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { kind: 'malformed' }
  }
  const parsed = z.safeParse(clientFrame, json)
  if (parsed.success) return { kind: 'frame', frame: parsed.data }
  const outline = z.safeParse(anyFrame, json)
  if (!outline.success || knownTypes.has(outline.data.type)) return { kind: 'malformed' }
  return { kind: 'unknown', type: outline.data.type }
}

export interface WireError {
  readonly code: number
  readonly message: string
}

export type ServerFrame =
  | {
      readonly type: 'connected'
      readonly payload: {
        readonly token: { readonly identity: string; readonly ttl: number }
        readonly edge: string
        readonly region: string
        readonly gateway: string
        readonly home: string
      }
    }
  | { readonly type: 'ready' | 'offline' | 'close'; readonly payload: Record<never, never> }
  | {
      readonly type: 'error'
      readonly payload: {
        readonly error: WireError
        readonly callsid?: string
        readonly voiceeventsid?: string
      }
    }
  | { readonly type: 'ringing'; readonly payload: { readonly callsid: string; readonly sdp: string } }
  | {
      readonly type: 'answer'
      readonly payload: { readonly callsid: string; readonly reconnect: string; readonly sdp?: string }
    }
  | {
      readonly type: 'hangup'
      readonly payload: { readonly callsid: string; readonly error?: WireError }
    }
  | {
      readonly type: 'invite'
      readonly payload: {
        readonly callsid: string
        readonly sdp: string
        readonly parameters: {
          readonly From: string
          readonly To: string
          readonly CallSid: string
          readonly Params: string
        }
        readonly reconnect: string
      }
    }
  | { readonly type: 'cancel'; readonly payload: { readonly callsid: string } }
  | {
      readonly type: 'message'
      readonly payload: {
        readonly callsid: string
        readonly content: { readonly digits: string; readonly from: number } | RealTimeText
        readonly contenttype: 'application/json'
        readonly messagetype: 'user-defined-message'
        readonly voiceeventsid: string
      }
    }
  | {
      readonly type: 'ack'
      readonly payload: {
        readonly acktype: 'message'
        readonly callsid: string
        readonly voiceeventsid: string
      }
    }

export function encodeFrame(frame: ServerFrame): string {
  return JSON.stringify({ ...frame, version: protocolVersion })
}

const clientMessageType = 'user-defined-message'

type Message = Extract<ClientFrame, { type: 'message' }>

/** Every message is acknowledged, whatever comes of it. Another type gets the client's error 31210. */
export function replyToMessage({ payload }: Message): ServerFrame {
  const { callsid, voiceeventsid, messagetype } = payload
  return messagetype === clientMessageType
    ? { type: 'ack', payload: { acktype: 'message', callsid, voiceeventsid } }
    : { type: 'error', payload: { error: messageTypeInvalid, callsid, voiceeventsid } }
}

/** @param count of the messages of this end of the call: names each of them */
export function messageFrame(
  callsid: string,
  count: number,
  content: Extract<ServerFrame, { type: 'message' }>['payload']['content'],
): ServerFrame {
  const voiceeventsid = `${callsid}-${count}`
  return {
    type: 'message',
    payload: {
      callsid,
      content,
      contenttype: 'application/json',
      messagetype: clientMessageType,
      voiceeventsid,
    },
  }
}
