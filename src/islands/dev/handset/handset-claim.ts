import type { claimNumber } from '#lib/api/handset.ts'
import type { VoiceRoute } from '#lib/api/token.ts'
import type { ApiResult } from '#session/transport.ts'
import { type ClaimRejection, type Handset, type HandsetEvent, isClaimed } from '#voice/handset-call.ts'
import type { HandsetLine, HandsetLineEvent, OpenHandset } from '#voice/handset-port.ts'
import type { MicrophoneFailure } from '#voice/microphone.ts'
import type { HandsetSettings } from './handset-settings.ts'

type ClaimReply = ApiResult<typeof claimNumber>
type WhenCalled = 'ring' | 'busy'

export interface ClaimPorts {
  readonly settings: () => HandsetSettings
  readonly claim: (body: { number: string; whenCalled: WhenCalled; token?: string }) => Promise<ClaimReply>
  readonly loadHandset: (route: VoiceRoute) => Promise<OpenHandset>
  /** Requests the microphone ahead of time and releases it. @returns null, or why there is none */
  readonly tryMicrophone: () => Promise<MicrophoneFailure | null>
  readonly wait: (ms: number, callback: () => void) => void
}

interface Claimant {
  readonly handset: () => Handset
  readonly apply: (event: HandsetEvent) => void
  readonly onLineEvent: (event: HandsetLineEvent) => void
}

/** The tab's claim on a number of the exchange, and the line that it brings. */
export interface Claim {
  /** Gives up the claim before, if there is one. */
  make(): Promise<void>
  /** Sends changed settings to the exchange and keeps the claim. */
  follow(): Promise<void>
  renew(): Promise<void>
  refuse(rejection: ClaimRejection): void
  giveUp(): void
  /** Null without a claim. */
  line(): HandsetLine | null
}

/** How long the exchange may take to register a claimed number. */
const registerTimeoutMs = 15_000
const renewAgainMs = 3_000

function rejectionOf(code: Extract<ClaimReply, { readonly ok: false }>['code']): ClaimRejection {
  if (code === 'number_taken') return 'taken'
  return code === 'invalid_number' || code === 'invalid_request' ? 'invalid_number' : 'unreachable'
}

export function createClaim(ports: ClaimPorts, { handset, apply, onLineEvent }: Claimant): Claim {
  /** Counts claims and releases, to ignore events of earlier ones. */
  let turn = 0
  let token = ''
  let agreed: WhenCalled = 'ring'
  let line: HandsetLine | null = null
  let renewing: Promise<void> | null = null

  function letGo(): void {
    turn += 1
    line?.close()
    line = null
    token = ''
  }

  function whenCalled(): WhenCalled {
    return ports.settings().whenItRings === 'busy' ? 'busy' : 'ring'
  }

  function refuse(mine: number, rejection: ClaimRejection): void {
    if (mine !== turn) return
    letGo()
    apply({ kind: 'claim_refused', rejection })
  }

  /** A handset that answers automatically cannot wait for a permission prompt. */
  async function microphoneFault(): Promise<MicrophoneFailure | null> {
    const { whenItRings, says } = ports.settings()
    return whenItRings === 'by_itself' && says === 'microphone' ? ports.tryMicrophone() : null
  }

  async function make(): Promise<void> {
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
    if (!reply.ok) return refuse(mine, rejectionOf(reply.code))
    const open = await ports.loadHandset(reply.value.route).catch(() => null)
    if (mine !== turn) return
    if (open === null) return refuse(mine, 'unreachable')
    token = reply.value.token
    apply({ kind: 'claim_granted', number: reply.value.number })
    ports.wait(registerTimeoutMs, () => {
      if (handset().state === 'claiming') refuse(mine, 'unreachable')
    })
    try {
      line = open(reply.value, event => {
        if (mine === turn) onLineEvent(event)
      })
    } catch (error) {
      console.error('The voice client could not be started.', error)
      refuse(mine, 'unreachable')
    }
  }

  /** Renews the claim with its token; retries while the server cannot be reached. */
  async function renewOnce(mine: number): Promise<void> {
    const held = handset()
    if (mine !== turn || !isClaimed(held)) return
    const wanted = whenCalled()
    const reply = await ports.claim({ number: held.number, whenCalled: wanted, token })
    if (mine !== turn) return
    if (reply.ok) {
      agreed = wanted
      token = reply.value.token
      line?.updateToken(token)
      return
    }
    const rejection = rejectionOf(reply.code)
    // A call continues without the number, but after it the lost claim must show, so retry.
    if (rejection === 'unreachable' || handset().state !== 'waiting') {
      ports.wait(renewAgainMs, () => {
        if (mine === turn) void renew()
      })
    } else {
      letGo()
      apply({ kind: 'claim_lost', why: rejection === 'taken' ? 'taken' : 'refused' })
    }
  }

  function renew(): Promise<void> {
    const mine = turn
    const before = renewing ?? Promise.resolve()
    const now = before.then(() => renewOnce(mine))
    renewing = now
    return now
  }

  return {
    make,
    async follow() {
      if (!isClaimed(handset())) return
      // A failed renewal or microphone shows when it rings.
      await Promise.all([agreed === whenCalled() ? null : renew(), microphoneFault()])
    },
    renew,
    refuse: rejection => refuse(turn, rejection),
    giveUp() {
      letGo()
      apply({ kind: 'released' })
    },
    line: () => line,
  }
}
