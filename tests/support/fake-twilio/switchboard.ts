import { CallReports, type Dialled, type ReportTools } from './call-reports.ts'
import { type Leg, type LegStatus, legParameters, showLeg, terminal } from './legs.ts'
import { ApiRejection, notFound } from './rejection.ts'
import { type DialInstruction, readTwiml } from './twiml.ts'

/** A telephone's behaviour when it is rung. `rings`: it rings until a test answers. */
export type Callee =
  | { readonly does: 'answers'; readonly afterMs?: number }
  | { readonly does: 'rings' }
  | { readonly does: 'busy' }
  | { readonly does: 'declines' }
  | { readonly does: 'no_answer' }
  | { readonly does: 'fails'; readonly sipCode?: number }
  /** It is never rung: Twilio does not dial the number (13224) or its country (13227). */
  | { readonly does: 'not_called' }

export interface Attempt {
  readonly sid: string
  readonly outcome: 'dialling' | 'waiting' | 'rejected' | 'application_error'
}

export interface SwitchboardTools extends ReportTools {
  readonly appSid: string
  readonly voiceUrl: string
  /** Requested when the voice URL gives no answer. */
  readonly voiceFallbackUrl: string | undefined
  readonly newSid: (kind: string) => string
  /** Whether a caller ID is allowed: a number of the account, or a verified one. */
  readonly mayShow: (number: string) => boolean
}

/** Default limit of a browser's leg in seconds: four hours. */
const longestSeconds = 14_400

/** All legs of the account, the calling browsers and the callees' telephones. */
export class Switchboard {
  readonly legs = new Map<string, Leg>()
  readonly callees = new Map<string, Callee>()
  /** Behaviour of telephones that have none of their own. */
  anybody: Callee = { does: 'answers' }
  readonly #dialled = new Map<string, Dialled>()
  readonly #tools: SwitchboardTools
  readonly #reports: CallReports

  constructor(tools: SwitchboardTools) {
    this.#tools = tools
    this.#reports = new CallReports(tools)
  }

  /** A browser connects with an access token for this identity, and the voice URL is requested. */
  async connect(identity: string, parameters: Readonly<Record<string, string>>): Promise<Attempt> {
    const caller = this.#add({ from: `client:${identity}`, to: parameters['To'] ?? '', parent: null })
    caller.status = 'ringing'
    return this.ask(caller, parameters)
  }

  /** Requests the voice URL about a leg. Twilio does so again when the answer was lost. */
  async ask(caller: Leg, parameters: Readonly<Record<string, string>>): Promise<Attempt> {
    const { webhooks, appSid, voiceUrl, voiceFallbackUrl } = this.#tools
    const { sid } = caller
    const form = { ...parameters, ...legParameters(this.#tools.accountSid, caller), ApplicationSid: appSid }
    let answer = await webhooks.ask({ url: voiceUrl, parameters: form })
    if (answer.status !== 200 && voiceFallbackUrl !== undefined) {
      const failure = { ErrorCode: '11200', ErrorUrl: voiceUrl }
      answer = await webhooks.ask({ url: voiceFallbackUrl, parameters: { ...form, ...failure } })
    }
    if (answer.status !== 200) {
      this.#endCaller(caller, 'failed')
      return { sid, outcome: 'application_error' }
    }
    const instruction = readTwiml(answer.body)
    if (instruction.kind === 'gather') {
      caller.status = 'in-progress'
      caller.answeredAt = this.#tools.clock.now()
      caller.timeLimitSeconds = instruction.seconds
      return { sid, outcome: 'waiting' }
    }
    if (instruction.kind !== 'dial') {
      this.#endCaller(caller, instruction.kind === 'reject' ? 'busy' : 'completed')
      return { sid, outcome: 'rejected' }
    }
    this.#dial(caller, instruction)
    return { sid, outcome: 'dialling' }
  }

  hangUp(sid: string, by: 'caller' | 'callee'): void {
    const dialled = this.#dialled.get(sid)
    const caller = this.leg(sid)
    if (dialled === undefined) {
      this.#endCaller(caller, 'completed')
      return
    }
    const { callee } = dialled
    if (callee.answeredAt !== null) {
      this.#over(dialled, 'completed')
      return
    }
    // A telephone that is still ringing declines.
    this.#over(dialled, by === 'caller' ? 'canceled' : 'busy', by === 'caller' ? 487 : 603)
  }

  /**
   * Completes the browser's leg without a callback, and leaves the callee's leg in progress until a request ends it.
   * @returns the callee's leg
   */
  strand(sid: string): Leg {
    const dialled = this.#dialled.get(sid)
    if (dialled === undefined) throw new Error('this leg rings nobody')
    this.#dialled.delete(sid)
    dialled.caller.status = 'completed'
    dialled.caller.endedAt = this.#tools.clock.now()
    return dialled.callee
  }

  answer(sid: string): void {
    const dialled = this.#dialled.get(sid)
    if (dialled === undefined) throw new Error('this leg rings nobody')
    this.#pickUp(dialled, this.#tools.clock.now())
  }

  /** Processes what is due by the clock: automatic answers, and limits. */
  tick(): void {
    const nowMs = this.#tools.clock.now().getTime()
    for (const leg of this.legs.values()) {
      if (leg.parent !== null || leg.answeredAt === null || this.#dialled.has(leg.sid)) continue
      const end = leg.answeredAt.getTime() + leg.timeLimitSeconds * 1000
      if (end <= nowMs) this.#endCaller(leg, 'completed', new Date(end))
    }
    for (const dialled of this.#dialled.values()) {
      const { caller, callee } = dialled
      if (callee.answeredAt === null && dialled.answersAtMs !== null && dialled.answersAtMs <= nowMs)
        this.#pickUp(dialled, new Date(dialled.answersAtMs))
      if (callee.answeredAt === null || callee.endedAt !== null) continue
      const seconds = Math.min(callee.timeLimitSeconds, caller.timeLimitSeconds)
      const end = callee.answeredAt.getTime() + seconds * 1000
      if (end <= nowMs) this.#over(dialled, 'completed', 200, new Date(end))
    }
  }

  leg(sid: string): Leg {
    return this.legs.get(sid) ?? notFound(`Calls/${sid}.json`)
  }

  /** The callee's leg of a browser's leg. */
  childOf(sid: string): Leg | undefined {
    return this.#dialled.get(sid)?.callee
  }

  /** An API request to change a live leg. @throws ApiRejection if it has ended */
  update(sid: string, { Status: status, TimeLimit: limit }: Readonly<Record<string, string>>): Leg {
    const leg = this.leg(sid)
    if (terminal.has(leg.status))
      throw new ApiRejection(400, 21220, 'Call is not in-progress. Cannot redirect.')
    if (limit !== undefined) leg.timeLimitSeconds = Number(limit)
    const isStranded = leg.parent !== null && !this.#dialled.has(leg.parent)
    if (isStranded && status === 'completed') {
      leg.status = 'completed'
      leg.endedAt = this.#tools.clock.now()
    } else if (status === 'completed' || (status === 'canceled' && leg.status !== 'in-progress')) {
      this.hangUp(leg.parent ?? leg.sid, leg.parent === null ? 'caller' : 'callee')
    }
    return leg
  }

  show(leg: Leg): object {
    return showLeg(this.#tools.accountSid, leg)
  }

  #add({ from, to, parent }: Pick<Leg, 'from' | 'to' | 'parent'>): Leg {
    const leg: Leg = {
      sid: this.#tools.newSid('CA'),
      parent,
      from,
      to,
      direction: parent === null ? 'inbound' : 'outbound-dial',
      createdAt: this.#tools.clock.now(),
      status: 'queued',
      answeredAt: null,
      endedAt: null,
      timeLimitSeconds: longestSeconds,
    }
    this.legs.set(leg.sid, leg)
    return leg
  }

  #dial(caller: Leg, dial: DialInstruction): void {
    const shown = dial.callerId ?? caller.from
    const does = this.callees.get(dial.number) ?? this.anybody
    // Also for Twilio's 13214: a caller ID that is neither owned by the account nor verified.
    if (does.does === 'not_called' || !this.#tools.mayShow(shown)) {
      this.#reports.notDialled(caller, dial)
      this.#endCaller(caller, 'completed')
      return
    }
    const callee = this.#add({ from: shown, to: dial.number, parent: caller.sid })
    callee.timeLimitSeconds = dial.timeLimitSeconds
    const dialled: Dialled = { caller, callee, dial, answersAtMs: null, sequence: 0 }
    this.#dialled.set(caller.sid, dialled)
    this.#reports.progress(dialled, 'initiated')
    if (does.does === 'fails') {
      this.#over(dialled, 'failed', does.sipCode ?? 404)
      return
    }
    if (does.does === 'busy') {
      this.#over(dialled, 'busy', 486)
      return
    }
    callee.status = 'ringing'
    this.#reports.progress(dialled, 'ringing')
    if (does.does === 'declines') {
      this.#over(dialled, 'busy', 603)
      return
    }
    if (does.does === 'no_answer') {
      this.#over(dialled, 'no-answer', 480)
      return
    }
    if (does.does === 'rings') return
    const now = this.#tools.clock.now()
    dialled.answersAtMs = now.getTime() + (does.afterMs ?? 0)
    if (dialled.answersAtMs <= now.getTime()) this.#pickUp(dialled, now)
  }

  #pickUp(dialled: Dialled, at: Date): void {
    const { caller, callee } = dialled
    if (callee.answeredAt !== null || callee.endedAt !== null) return
    for (const leg of [caller, callee]) {
      leg.status = 'in-progress'
      leg.answeredAt = at
    }
    this.#reports.progress(dialled, 'answered')
  }

  #over(dialled: Dialled, status: LegStatus, sipCode = 200, at = this.#tools.clock.now()): void {
    const { caller, callee } = dialled
    if (callee.endedAt !== null) return
    callee.status = status
    callee.endedAt = at
    this.#reports.progress(dialled, 'completed', { SipResponseCode: String(sipCode) })
    this.#reports.dialOver(dialled)
    this.#endCaller(caller, status === 'canceled' ? 'canceled' : 'completed', at)
  }

  #endCaller(caller: Leg, status: LegStatus, at = this.#tools.clock.now()): void {
    if (caller.endedAt !== null) return
    caller.status = status
    caller.endedAt = at
    this.#reports.callerEnded(caller)
  }
}
