import { readRealTimeText } from '#lib/calls/real-time-text.ts'
import { expectedRate } from '../expected-rate.ts'
import { ExchangeCall } from './call.ts'
import type { CallServices } from './call-contract.ts'
import { type EndedCall, EndedCalls } from './ended-calls.ts'
import { callUnknown, endError } from './endings.ts'
import { replyToMessage } from './frames.ts'
import { asksLineCheck, lineCheckServices } from './line-check.ts'
import type { MediaAddress } from './media/media-address.ts'
import type { CallFrame } from './session.ts'
import type { Signalling } from './signalling-path.ts'
import type { VoiceParty } from './tokens.ts'

type Invite = Extract<CallFrame, { type: 'invite' }>
type Caller = Extract<VoiceParty, { kind: 'caller' }>

export class CallerCalls {
  readonly #services: CallServices
  readonly #address: () => MediaAddress
  readonly #calls = new Set<ExchangeCall>()
  /** Connection checks among `#calls`: neither recorded nor reported. */
  readonly #checks = new WeakSet<ExchangeCall>()
  readonly #ended: EndedCalls
  #stopping = false

  /** @param address of media in this process, for connection checks */
  constructor(services: CallServices, address: () => MediaAddress) {
    this.#services = services
    this.#address = address
    this.#ended = new EndedCalls(services.clock)
  }

  /** A frame about a call, from a user whose token was once valid on this socket. */
  onFrame(signalling: Signalling, caller: Caller, frame: CallFrame): void {
    const { callsid } = frame.payload
    const { userId } = caller
    const call = [...this.#calls].find(one => one.isLive && one.userId === userId && one.isNamed(callsid))
    const sayUnknown = () => signalling.send({ type: 'hangup', payload: { callsid, error: callUnknown } })
    switch (frame.type) {
      case 'invite':
        if (frame.payload.reconnect === undefined) this.#invite(signalling, caller, frame)
        else if (!call?.resume(signalling, frame.payload.reconnect)) sayUnknown()
        return
      case 'reinvite':
        if (call === undefined) sayUnknown()
        else call.reoffer(frame.payload.sdp)
        return
      case 'hangup':
        call?.callerHungUp()
        return
      case 'dtmf':
        call?.press(frame.payload.dtmf)
        return
      case 'answer':
      case 'reject':
        // Callers receive no calls.
        return
      case 'message': {
        signalling.send(replyToMessage(frame))
        const text = readRealTimeText(frame.payload.content)
        if (text !== undefined) call?.text(text)
        return
      }
      default:
        frame satisfies never
    }
  }

  signallingLost(signalling: Signalling): void {
    for (const call of this.#calls) call.signallingLost(signalling)
  }

  find(callId: string): ExchangeCall | undefined {
    return [...this.#calls].find(call => call.callId === callId)
  }

  findEnded(callId: string): EndedCall | undefined {
    return this.#ended.get(callId)
  }

  live(): readonly string[] {
    const calls = [...this.#calls].filter(call => call.isLive && !this.#checks.has(call))
    return calls.flatMap(({ callId }) => callId ?? [])
  }

  /** Ends every call on shutdown, and takes no more. Each is over once the call service has applied its end. */
  endAll(): readonly ExchangeCall[] {
    this.#stopping = true
    for (const call of this.#calls) call.end('server_stopping')
    return [...this.#calls]
  }

  #invite(signalling: Signalling, { userId, sessionId }: Caller, { payload }: Invite): void {
    if (this.#stopping) {
      const error = endError('server_stopping')
      signalling.send({ type: 'hangup', payload: { callsid: payload.callsid, ...(error && { error }) } })
      return
    }
    const asked = new URLSearchParams(payload.twilio?.params)
    const check = asksLineCheck(asked)
    const own = [...this.#calls].filter(one => one.userId === userId)
    if (check) for (const one of own) if (this.#checks.has(one)) one.end('connection_lost')
    const left = check ? [] : own.filter(one => one.dialledAnew())
    const services = check ? lineCheckServices(this.#services, this.#address) : this.#services
    const call = new ExchangeCall(services, signalling, {
      userId,
      sessionId,
      temporaryId: payload.callsid,
      offer: payload.sdp,
      to: asked.get('To') ?? '',
      callerId: asked.get('CallerId') || undefined,
      attempt: asked.get('Attempt') || undefined,
      purpose: asked.get('Purpose') === 'test' ? 'test' : 'call',
      expectsFree: asked.get('Free') === 'expected',
      expectsRateMicroUsd: expectedRate(asked.get('Rate')),
      earlier: Promise.all(left.map(one => one.over)),
    })
    this.#calls.add(call)
    if (check) this.#checks.add(call)
    call.over.then(
      () => this.#keep(call),
      error => this.#services.log.error({ err: error }, 'exchange failed'),
    )
  }

  #keep(call: ExchangeCall): void {
    this.#calls.delete(call)
    const inspection = call.inspect()
    if (call.callId === undefined || inspection.kind !== 'ended') return
    this.#ended.add(call.callId, { inspection, observation: call.observe() })
  }
}
