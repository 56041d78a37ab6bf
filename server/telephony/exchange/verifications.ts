import { setTimeout as sleep } from 'node:timers/promises'
import type { VerificationOutcome } from '#lib/api/verification.ts'
import { currentLanguage } from '#lib/i18n/language.ts'
import { failure, type Result, success } from '#lib/result.ts'
import type { Random } from '../../process/random.ts'
import type { CallControl, NumberVerification, VerificationCode, VerificationProgress } from '../port.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import { languageOfCallee } from './media/clips.ts'
import { Verification, type VerificationServices } from './verification.ts'
import { newCode } from './verification-script.ts'

export interface VerificationsServices extends VerificationServices {
  readonly random: Random
  readonly control: Pick<CallControl, 'verificationEnded' | 'verificationProgressed'>
  readonly lineOf: (call: NumberVerification) => Endpoint
  /** Number shown, E.164. */
  readonly from: string
}

const maxAtOnce = 100
const maxTries = 5
const firstRetryMs = 100

export class Verifications {
  readonly #services: VerificationsServices
  readonly #calls = new Set<Verification>()
  readonly #telling = new Set<Promise<void>>()
  #closed = false

  constructor(services: VerificationsServices) {
    this.#services = services
  }

  /** Rings the number, and speaks as the page that asks. A busy endpoint counts as a call, whose end is reported. */
  call(asked: NumberVerification): Result<VerificationCode, 'unavailable'> {
    if (this.#closed || this.#calls.size >= maxAtOnce) return failure('unavailable')
    const { verificationId, number } = asked
    const { random, lineOf, from } = this.#services
    const code = newCode(length => random.bytes(length))
    const call = new Verification(this.#services, {
      verificationId,
      from,
      code,
      language: languageOfCallee(number, [currentLanguage()]),
      line: lineOf(asked),
      onProgress: state => this.#progressed({ verificationId, state }),
      onDecided: outcome => this.#decided(verificationId, outcome),
      onOver: () => this.#calls.delete(call),
    })
    this.#calls.add(call)
    call.start()
    return success({ code })
  }

  /** Ends every call and takes no more; waits at most `timeoutMs` for the reports to be applied. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true
    for (const call of this.#calls) call.stop()
    const giveUp = new AbortController()
    const notified = Promise.allSettled([...this.#telling]).then(() => giveUp.abort())
    await Promise.race([
      notified,
      sleep(timeoutMs, undefined, { signal: giveUp.signal }).catch(() => undefined),
    ])
  }

  #progressed(progress: VerificationProgress): void {
    this.#services.control.verificationProgressed(progress).catch((error: unknown) => {
      const { verificationId } = progress
      this.#services.log.error({ verificationId, err: error }, 'progress of a verification call was lost')
    })
  }

  #decided(verificationId: string, outcome: VerificationOutcome): void {
    const notifying = this.#tell(verificationId, outcome).finally(() => this.#telling.delete(notifying))
    this.#telling.add(notifying)
  }

  async #tell(verificationId: string, outcome: VerificationOutcome): Promise<void> {
    for (let tries = 1; tries <= maxTries; tries++) {
      try {
        await this.#services.control.verificationEnded({ verificationId, outcome })
        return
      } catch (error) {
        const details = { verificationId, outcome, tries, err: error }
        this.#services.log.error(details, 'the end of a verification call could not be applied')
        await sleep(firstRetryMs * 4 ** (tries - 1), undefined, { ref: false })
      }
    }
  }
}
