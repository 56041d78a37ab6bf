import type { Clock } from '#server/process/clock.ts'
import { type Leg, legParameters, secondsOf } from './legs.ts'
import type { DialInstruction } from './twiml.ts'
import type { Webhooks } from './webhooks.ts'

export interface Dialled {
  readonly caller: Leg
  readonly callee: Leg
  readonly dial: DialInstruction
  /** When the telephone answers by itself, in ms since the epoch; otherwise null. */
  answersAtMs: number | null
  sequence: number
}

export interface ReportTools {
  readonly clock: Clock
  readonly webhooks: Webhooks
  readonly accountSid: string
  /** The application's own status callback, requested when a browser's leg ends. */
  readonly appStatusUrl: string | undefined
}

type Parameters = Readonly<Record<string, string>>

/** Twilio's callbacks about calls, each to the URL that was given for it; without one, nothing is sent. */
export class CallReports {
  readonly #tools: ReportTools

  constructor(tools: ReportTools) {
    this.#tools = tools
  }

  progress(dialled: Dialled, event: string, more: Parameters = {}): void {
    const { callee, caller, dial } = dialled
    const sequence = dialled.sequence++
    if (!dial.events.has(event)) return
    const lasted = event === 'completed' ? { CallDuration: String(secondsOf(callee)) } : {}
    const status = event === 'initiated' ? 'initiated' : event === 'answered' ? 'in-progress' : callee.status
    this.#send(dial.statusCallback, callee, {
      CallStatus: status,
      ParentCallSid: caller.sid,
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(sequence),
      Timestamp: this.#tools.clock.now().toUTCString(),
      ...lasted,
      ...more,
    })
  }

  /** Without a callee's leg there are no status callbacks; only the action URL reports that dialling is over. */
  notDialled(caller: Leg, { action }: DialInstruction): void {
    this.#send(action, caller, { DialCallStatus: 'failed', DialBridged: 'false' })
  }

  dialOver({ caller, callee, dial }: Dialled): void {
    const duration = callee.status === 'completed' ? { DialCallDuration: String(secondsOf(callee)) } : {}
    this.#send(dial.action, caller, {
      DialCallSid: callee.sid,
      DialCallStatus: callee.status,
      DialBridged: String(callee.answeredAt !== null),
      ...duration,
    })
  }

  callerEnded(caller: Leg): void {
    const { appStatusUrl } = this.#tools
    this.#send(appStatusUrl, caller, { CallDuration: String(secondsOf(caller)), Duration: '1' })
  }

  #send(url: string | undefined, leg: Leg, more: Parameters): void {
    if (url === undefined) return
    const { webhooks, accountSid } = this.#tools
    webhooks.deliverCallback({ url, parameters: { ...legParameters(accountSid, leg), ...more } })
  }
}
