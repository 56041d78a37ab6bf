import { atom, type ReadableAtom } from 'nanostores'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import type { Result } from '#lib/result.ts'
import { type Handset, type HandsetEvent, onHook, stepHandset } from '#voice/handset-call.ts'
import type { HandsetLineEvent } from '#voice/handset-port.ts'
import type { HandsetSound, Says, SoundFailure } from '#voice/handset-sound.ts'
import { type ClaimPorts, createClaim } from './handset-claim.ts'

export interface HandsetPorts extends ClaimPorts {
  readonly openSound: (says: Says) => Promise<Result<HandsetSound, SoundFailure>>
  /** @returns stops the ringing */
  readonly ring: () => () => void
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
}

export interface HandsetTelephone {
  readonly $handset: ReadableAtom<Handset>
  /** The last message of real-time text in this call; null before the first. */
  readonly $textMessage: ReadableAtom<RealTimeText | null>
  sendText(message: RealTimeText): void
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
/** Creates the tab's handset: the only writer of its state. */
export function createHandset(ports: HandsetPorts): HandsetTelephone {
  const $handset = atom<Handset>(onHook)
  const $textMessage = atom<RealTimeText | null>(null)
  let calls = 0
  let sound: HandsetSound | null = null
  /** Keys pressed before sound passes; null from then on. */
  let early: string | null = ''
  let stopRinging: (() => void) | null = null

  const claim = createClaim(ports, { handset: () => $handset.get(), apply, onLineEvent: applyLineEvent })

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

  function startRinging(from: string | null): void {
    calls += 1
    const call = calls
    $textMessage.set(null)
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
      case 'text':
        $textMessage.set(event.message)
        break
      case 'refused':
        // The token is seconds old, so another handset registered first.
        if ($handset.get().state === 'claiming') claim.refuse('taken')
        else void claim.renew()
        break
      case 'token_expiring':
        void claim.renew()
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
    const line = claim.line()
    if (!current || line === null) return opened.value.close()
    sound = opened.value
    line.answer(opened.value.stream)
  }

  return {
    $handset,
    $textMessage,
    sendText: message => claim.line()?.sendText(message),
    claim: claim.make,
    follow: claim.follow,
    giveUp: claim.giveUp,
    answer,
    decline: () => claim.line()?.decline(),
    hangUp: () => claim.line()?.hangUp(),
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
