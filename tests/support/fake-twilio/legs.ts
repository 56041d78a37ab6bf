export type LegStatus =
  | 'queued'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'failed'
  | 'no-answer'
  | 'canceled'

/** One leg of a call: the browser's, or the callee's. */
export interface Leg {
  readonly sid: string
  readonly parent: string | null
  readonly from: string
  readonly to: string
  readonly direction: 'inbound' | 'outbound-dial'
  readonly createdAt: Date
  status: LegStatus
  answeredAt: Date | null
  endedAt: Date | null
  timeLimitSeconds: number
}

export const terminal: ReadonlySet<LegStatus> = new Set([
  'completed',
  'busy',
  'failed',
  'no-answer',
  'canceled',
])

export function showLeg(accountSid: string, leg: Leg): object {
  return {
    sid: leg.sid,
    account_sid: accountSid,
    parent_call_sid: leg.parent,
    from: leg.from,
    to: leg.to,
    status: leg.status,
    direction: leg.direction,
    // Documented as the start of the call, which may be the start of dialling.
    start_time: leg.createdAt.toUTCString(),
    end_time: leg.endedAt?.toUTCString() ?? null,
    duration: leg.endedAt === null ? null : String(secondsOf(leg)),
    date_created: leg.createdAt.toUTCString(),
    date_updated: (leg.endedAt ?? leg.answeredAt ?? leg.createdAt).toUTCString(),
    price: null,
    price_unit: 'USD',
    api_version: '2010-04-01',
    uri: `/2010-04-01/Accounts/${accountSid}/Calls/${leg.sid}.json`,
  }
}

/** The parameters about a leg in every Twilio webhook. */
export function legParameters(accountSid: string, leg: Leg): Record<string, string> {
  return {
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    CallSid: leg.sid,
    CallStatus: leg.status,
    Direction: leg.direction,
    From: leg.from,
    To: leg.to,
    Caller: leg.from,
    Called: leg.to,
  }
}

/** Twilio's duration: whole seconds from the answer; 0 if unanswered. */
export function secondsOf({ answeredAt, endedAt }: Leg): number {
  return answeredAt === null || endedAt === null
    ? 0
    : Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000)
}
