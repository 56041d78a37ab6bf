import { atom, type ReadableAtom } from 'nanostores'
import type { claimNumber } from '#lib/api/handset.ts'
import type { VoiceRoute } from '#lib/api/token.ts'
import type { Result } from '#lib/result.ts'
import type { ApiResult } from '#session/transport.ts'
import {
  type ClaimRefusal,
  type Handset,
  type HandsetEvent,
  isClaimed,
  onHook,
  stepHandset,
} from '#voice/handset-call.ts'
import type { HandsetLine, HandsetLineEvent, OpenHandset } from '#voice/handset-port.ts'
import type { HandsetSound, Says, SoundFailure } from '#voice/handset-sound.ts'
import type { MicrophoneFailure } from '#voice/microphone.ts'
import type { HandsetSettings } from './handset-settings.ts'

type ClaimReply = ApiResult<typeof claimNumber>
type WhenCalled = 'ring' | 'busy'

export interface HandsetPorts {
  readonly settings: () => HandsetSettings
  readonly claim: (body: { number: string; whenCalled: WhenCalled; token?: string }) => Promise<ClaimReply>
  readonly loadHandset: (route: VoiceRoute) => Promise<OpenHandset>
  readonly openSound: (says: Says) => Promise<Result<HandsetSound, SoundFailure>>
  /** Requests the microphone ahead of time and releases it. @returns null, or why there is none */
  readonly tryMicrophone: () => Promise<MicrophoneFailure | null>
  /** @returns stops the ringing */
  readonly ring: () => () => void
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
  readonly wait: (ms: number, callback: () => void) => void
}

export interface HandsetTelephone {
  readonly $handset: ReadableAtom<Handset>
  claim(): Promise<void>
  /** Sends changed settings to the exchange and keeps the claim. */
  follow(): Promise<void>
  giveUp(): void
  answer(): Promise<void>
  decline(): void
  hangUp(): void
  setMuted(muted: boolean): void
  /** Keys 0-9, `*` and `#`, which the other side hears as tones. */
  press(keys: string): void
}

/** 'Answer by itself after 3 s' (text of the design). */
export const byItselfMs = 3_000
/** How long the exchange may take to register a claimed number. */
const registerTimeoutMs = 15_000
const renewAgainMs = 3_000

function refusalOf(code: Extract<ClaimReply, { readonly ok: false }>['code']): ClaimRefusal {
  if (code === 'number_taken') return 'taken'
  return code === 'invalid_number' || code === 'invalid_request' ? 'invalid_number' : 'unreachable'
}

/** Creates the tab's handset: the only writer of its state. */
export function createHandset(ports: HandsetPorts): HandsetTelephone {
  const $handset = atom<Handset>(onHook)
  /** Counts claims and releases, to ignore events of earlier ones. */
  let turn = 0
  let calls = 0
  let token = ''
  let agreed: WhenCalled = 'ring'
  let line: HandsetLine | null = null
  let sound: HandsetSound | null = null
  /** Keys pressed before sound passes; null from then on. */
  let early: string | null = ''
  let stopRinging: (() => void) | null = null
  let renewing: Promise<void> | null = null

  function apply(event: HandsetEvent): void {
    const handset = stepHandset($handset.get(), event)
    if (handset === $handset.get()) return
    if (handset.state === 'ringing') stopRinging ??= ports.ring()
    else {
      stopRinging?.()
      stopRinging = null
    }
    if (handset.state !== 'ringing' && handset.state !== 'talking') {
      sound?.close()
      sound = null
      early = ''
    }
    $handset.set(handset)
  }

  function letGo(): void {
    turn += 1
    line?.close()
    line = null
    token = ''
  }

  function whenCalled(): WhenCalled {
    return ports.settings().whenItRings === 'busy' ? 'busy' : 'ring'
  }

  function refuse(mine: number, refusal: ClaimRefusal): void {
    if (mine !== turn) return
    letGo()
    apply({ kind: 'claim_refused', refusal })
  }

  /** A handset that answers automatically cannot wait for a permission prompt. */
  async function microphoneFault(): Promise<MicrophoneFailure | null> {
    const { whenItRings, says } = ports.settings()
    return whenItRings === 'by_itself' && says === 'microphone' ? ports.tryMicrophone() : null
  }

  async function claim(): Promise<void> {
    letGo()
    const mine = turn
    apply({ kind: 'released' })
    apply({ kind: 'claim_begun' })
    const fault = await microphoneFault()
    if (mine !== turn) return
    if (fault !== null) return refuse(mine, fault)
    agreed = whenCalled()
    const reply = await ports.claim({ number: ports.settings().number, whenCalled: agreed })
    if (mine !== turn) return
    if (!reply.ok) return refuse(mine, refusalOf(reply.code))
    const open = await ports.loadHandset(reply.value.route).catch(() => null)
    if (mine !== turn) return
    if (open === null) return refuse(mine, 'unreachable')
    token = reply.value.token
    apply({ kind: 'claim_granted', number: reply.value.number })
    ports.wait(registerTimeoutMs, () => {
      if ($handset.get().state === 'claiming') refuse(mine, 'unreachable')
    })
    try {
      line = open(reply.value, event => {
        if (mine === turn) applyLineEvent(event)
      })
    } catch (error) {
      console.error('The voice client could not be started.', error)
      refuse(mine, 'unreachable')
    }
  }

  /** Renews the claim with its token; retries while the server cannot be reached. */
  async function renewOnce(mine: number): Promise<void> {
    const handset = $handset.get()
    if (mine !== turn || !isClaimed(handset)) return
    const wanted = whenCalled()
    const reply = await ports.claim({ number: handset.number, whenCalled: wanted, token })
    if (mine !== turn) return
    if (reply.ok) {
      agreed = wanted
      token = reply.value.token
      line?.updateToken(token)
      return
    }
    const refusal = refusalOf(reply.code)
    // A call continues without the number, but after it the lost claim must show, so retry.
    if (refusal === 'unreachable' || $handset.get().state !== 'waiting') {
      ports.wait(renewAgainMs, () => {
        if (mine === turn) void renew()
      })
    } else {
      letGo()
      apply({ kind: 'claim_lost', why: refusal === 'taken' ? 'taken' : 'refused' })
    }
  }

  function renew(): Promise<void> {
    const mine = turn
    const before = renewing ?? Promise.resolve()
    const now = before.then(() => renewOnce(mine))
    renewing = now
    return now
  }

  function startRinging(from: string | null): void {
    calls += 1
    const call = calls
    apply({ kind: 'rang', from })
    if (ports.settings().whenItRings !== 'by_itself') return
    ports.wait(byItselfMs, () => {
      if (call === calls) void answer()
    })
  }

  function applyLineEvent(event: HandsetLineEvent): void {
    switch (event.kind) {
      case 'registered':
      case 'unreachable':
      case 'digits':
      case 'reconnecting':
      case 'reconnected':
        apply(event)
        break
      case 'refused':
        // The token is seconds old, so another handset registered first.
        if ($handset.get().state === 'claiming') refuse(turn, 'taken')
        else void renew()
        break
      case 'token_expiring':
        void renew()
        break
      case 'ringing':
        startRinging(event.from)
        break
      case 'answered':
        apply({ kind: 'answered', atMs: ports.nowMs() })
        break
      case 'sound_passes': {
        const keys = early ?? ''
        early = null
        for (const key of keys) sound?.press(key)
        break
      }
      case 'ended':
        apply({ kind: 'ended', ending: event.ending, atMs: ports.nowMs() })
        break
      default:
        event satisfies never
    }
  }

  async function answer(): Promise<void> {
    const handset = $handset.get()
    if (handset.state !== 'ringing' || handset.answering) return
    const call = calls
    apply({ kind: 'answering' })
    const opened = await ports.openSound(ports.settings().says)
    const current = call === calls && $handset.get().state === 'ringing'
    if (!opened.ok) {
      if (current) apply({ kind: 'answer_failed', fault: opened.code })
      return
    }
    if (!current || line === null) return opened.value.close()
    sound = opened.value
    line.answer(opened.value.stream)
  }

  return {
    $handset,
    claim,
    async follow() {
      if (!isClaimed($handset.get())) return
      // A failed renewal or microphone shows when it rings.
      await Promise.all([agreed === whenCalled() ? null : renew(), microphoneFault()])
    },
    giveUp() {
      letGo()
      apply({ kind: 'released' })
    },
    answer,
    decline: () => line?.decline(),
    hangUp: () => line?.hangUp(),
    setMuted(muted) {
      if ($handset.get().state !== 'talking') return
      sound?.setMuted(muted)
      apply({ kind: 'muted', muted })
    },
    press(keys) {
      if ($handset.get().state !== 'talking') return
      if (early !== null) early += keys
      else for (const key of keys) sound?.press(key)
    },
  }
}
