import { Redis } from 'ioredis'
import * as z from 'zod/mini'

/** What the edge itself recorded of a call: of the carrier that was tried last. Times in milliseconds since 1970. */
export interface EdgeRecord {
  readonly carrier: number
  readonly placedAtMs: number
  readonly answeredAtMs: number | undefined
  readonly endedAtMs: number | undefined
  /** Who ended an answered call; `edge`: at its limit, or by a command of ours. */
  readonly endedBy: 'caller' | 'callee' | 'edge' | undefined
  /** SIP status of a call that was not answered; undefined if none came. */
  readonly code: number | undefined
  /** Milliseconds from the answer. */
  readonly limitMs: number | undefined
  /** By which the edge knows the call. */
  readonly sip: { readonly id: string; readonly sequence: number }
  readonly dialog: { readonly entry: number; readonly id: number } | undefined
}

/** Milliseconds from the answer until then (milliseconds since 1970); null for a call that was not answered. */
export function recordedAnswerMs({ answeredAtMs }: EdgeRecord, untilMs: number): number | null {
  return answeredAtMs === undefined ? null : Math.max(0, untilMs - answeredAtMs)
}

const requestTimeoutMs = 2000

/** What JSON-RPC answers when there is no such dialog. */
const rpcError = z.object({ error: z.object({ code: z.number() }) })

const seconds = z.optional(
  z.pipe(
    z.string(),
    z.transform(text => Math.round(Number(text) * 1000)),
  ),
)
const whole = z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number))

const stored = z.object({
  sip_id: z.string(),
  cseq: whole,
  carrier: whole,
  placed_at: seconds,
  answered_at: seconds,
  ended_at: seconds,
  by: z.catch(z.optional(z.enum(['caller', 'callee', 'edge'])), undefined),
  code: z.catch(z.optional(whole), undefined),
  limit: seconds,
  h_entry: z.optional(whole),
  h_id: z.optional(whole),
})

/** The edge's own accounting in its Redis, and commands about its calls. Holds whatever becomes of our processes. */
export class EdgeRecords {
  readonly #redis: Redis
  readonly #control: string

  /** @param control the edge's control address: `http://10.0.0.5:5080` */
  constructor({ redis, control }: { readonly redis: string; readonly control: string }) {
    this.#redis = new Redis(redis, {
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      connectTimeout: requestTimeoutMs,
      // A connection that is silently gone must not hold up calls and settlement.
      commandTimeout: requestTimeoutMs,
    })
    // Each command reports its own failure.
    this.#redis.on('error', () => undefined)
    this.#control = control
  }

  /** @returns undefined for a call that the edge never had. @throws when its Redis cannot be reached */
  async find(callId: string): Promise<EdgeRecord | undefined> {
    const found = z.safeParse(stored, await this.#redis.hgetall(`call:${callId}`))
    if (!found.success) return undefined
    const { h_entry: entry, h_id: id, placed_at: placedAtMs = 0, ...rest } = found.data
    return {
      carrier: rest.carrier,
      placedAtMs,
      answeredAtMs: rest.answered_at,
      endedAtMs: rest.ended_at,
      endedBy: rest.by,
      code: rest.code,
      limitMs: rest.limit,
      sip: { id: rest.sip_id, sequence: rest.cseq },
      dialog: entry === undefined || id === undefined ? undefined : { entry, id },
    }
  }

  /**
   * Ends a call, whichever process placed it.
   * @returns false when the edge no longer has it
   * @throws when the edge cannot be reached
   */
  async hangUp({ sip, dialog, endedAtMs }: EdgeRecord): Promise<boolean> {
    if (endedAtMs !== undefined) return false
    if (dialog === undefined) return (await this.#post(`/cancel/${sip.id}/${sip.sequence}`)).status === 204
    const { entry, id } = dialog
    const command = { jsonrpc: '2.0', id: 1, method: 'dlg.end_dlg', params: [entry, id] }
    const answer = await this.#post('/rpc', JSON.stringify(command))
    return !z.safeParse(rpcError, answer.body).success
  }

  /**
   * Moves the limit of an answered call.
   * @param limit seconds, 1 or more: from the answer, for the record, and from now
   * @returns whether the call goes on
   * @throws when the edge cannot be reached
   */
  async setLimit(
    { sip, dialog }: EdgeRecord,
    limit: { readonly fromAnswer: number; readonly fromNow: number },
  ): Promise<boolean> {
    if (dialog === undefined) return false
    const { entry, id } = dialog
    const path = `/limit/${sip.id}/${entry}/${id}/${limit.fromNow}/${limit.fromAnswer}`
    return (await this.#post(path)).status === 204
  }

  /** @returns whether its Redis answers */
  async isReachable(): Promise<boolean> {
    return await this.#redis.ping().then(
      () => true,
      () => false,
    )
  }

  async close(): Promise<void> {
    this.#redis.disconnect()
  }

  async #post(path: string, body?: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const signal = AbortSignal.timeout(requestTimeoutMs)
    const response = await fetch(`${this.#control}${path}`, { method: 'POST', signal, ...(body && { body }) })
    const text = await response.text()
    return { status: response.status, body: body === undefined ? undefined : JSON.parse(text) }
  }
}
