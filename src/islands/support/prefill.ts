import { call } from '#lib/api/calls.ts'
import { receipt } from '#lib/api/payments.ts'
import { endReasonText } from '#lib/calls/end-reasons.ts'
import { type SupportTopic, supportTopic } from '#lib/support.ts'
import { authorised } from '#session/api.ts'
import { loadUser } from '#session/user.ts'
import { momentInUtc } from '#shared/moment.ts'
import { support } from './texts.ts'

/** What a message is about, as named by the link that led here: an id, never a phone number. */
export interface Subject {
  readonly topic: SupportTopic
  /** First line of the message, before anything more is known. */
  readonly line: string
  /** The same with its date and receipt; null for a visitor, or if nothing of this user's has the id. */
  readonly complete: () => Promise<string | null>
}

const uuid = /^[0-9a-f-]{36}$/i

const maxHappenedLength = 300

/** Reads `?call=<id>` or `?payment=<id>`, and `#happened=<our message that the link stood in>&about=<its topic>`. */
export function subjectOf({ searchParams, hash }: Pick<URL, 'searchParams' | 'hash'>): Subject | null {
  const record = recordIn(searchParams)
  const fromLink = new URLSearchParams(hash.slice(1))
  const happened = fromLink.get('happened')?.replace(/\s+/g, ' ').trim() ?? ''
  if (happened === '') return record
  const about = supportTopic.safeParse(fromLink.get('about'))
  const topic = about.success
    ? about.data
    : happened === endReasonText({ kind: 'call_blocked' })
      ? 'restricted'
      : 'call'
  const quoted = support.pageSaid({ text: happened.slice(0, maxHappenedLength) })
  if (record === null) return { topic, line: quoted, complete: async () => null }
  const complete = async () => {
    const line = await record.complete()
    return line === null ? null : `${line}\n${quoted}`
  }
  return { topic, line: `${record.line}\n${quoted}`, complete }
}

function recordIn(search: URLSearchParams): Subject | null {
  const [callId, paymentId] = [search.get('call') ?? '', search.get('payment') ?? '']
  if (uuid.test(callId))
    return { topic: 'call', line: support.aboutCall({ id: callId }), complete: () => callLine(callId) }
  if (uuid.test(paymentId))
    return {
      topic: 'payment',
      line: support.aboutPayment({ id: paymentId }),
      complete: () => paymentLine(paymentId),
    }
  return null
}

async function callLine(id: string): Promise<string | null> {
  if ((await loadUser()) === null) return null
  const found = await authorised(call, { params: { id } }, { skipLogoutOnFail: true })
  return found.ok ? support.aboutCallOn({ moment: momentInUtc(new Date(found.value.placedAt)), id }) : null
}

async function paymentLine(id: string): Promise<string | null> {
  if ((await loadUser()) === null) return null
  const found = await authorised(receipt, { params: { id } }, { skipLogoutOnFail: true })
  return found.ok
    ? support.aboutPaymentOn({
        moment: momentInUtc(new Date(found.value.paidAt)),
        number: found.value.number,
      })
    : null
}

/** The signed-in user's address; null for a visitor. */
export async function ownAddress(): Promise<string | null> {
  return (await loadUser())?.email ?? null
}
