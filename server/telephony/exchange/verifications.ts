import { setTimeout as sleep } from 'node:timers/promises'
import { failure, type Result, success } from '#lib/result.ts'
import type { Random } from '../../random.ts'
import type { CallControl, VerificationCall, VerificationCode, VerificationOutcome } from '../port.ts'
import type { Line } from './lines/line.ts'
import { Verification, type VerificationServices } from './verification.ts'
import { newCode } from './verification-script.ts'

export interface VerificationsServices extends VerificationServices {
  readonly random: Random
  readonly control: Pick<CallControl, 'verificationEnded'>
  readonly lineOf: (number: string) => Line
}

const mostAtOnce = 100
const triesToTell = 5
const firstRetryMs = 100

/** Every call that asks for a code at this moment, and the telling of what came of each. */
export class Verifications {
  readonly #services: VerificationsServices
  readonly #calls = new Set<Verification>()
  readonly #telling = new Set<Promise<void>>()
  #closed = false

  constructor(services: VerificationsServices) {
    this.#services = services
  }

  /** Rings the number; a busy one too is a call, whose end is told. */
  call({ verificationId, number }: VerificationCall): Result<VerificationCode, 'unavailable'> {
    if (this.#closed || this.#calls.size >= mostAtOnce) return failure('unavailable')
    const { random, lineOf } = this.#services
    const code = newCode(length => random.bytes(length))
    const call = new Verification(this.#services, {
      verificationId,
      code,
      line: lineOf(number),
      onDecided: outcome => this.#decided(verificationId, outcome),
      onOver: () => this.#calls.delete(call),
    })
    this.#calls.add(call)
    call.start()
    return success({ code })
  }

  /** Ends every call and takes no more; waits at most so long until each end was taken. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true
    for (const call of this.#calls) call.stop()
    const giveUp = new AbortController()
    const told = Promise.allSettled([...this.#telling]).then(() => giveUp.abort())
    await Promise.race([told, sleep(timeoutMs, undefined, { signal: giveUp.signal }).catch(() => undefined)])
  }

  #decided(verificationId: string, outcome: VerificationOutcome): void {
    const telling = this.#tell(verificationId, outcome).finally(() => this.#telling.delete(telling))
    this.#telling.add(telling)
  }

  async #tell(verificationId: string, outcome: VerificationOutcome): Promise<void> {
    for (let tries = 1; tries <= triesToTell; tries++) {
      try {
        await this.#services.control.verificationEnded({ verificationId, outcome })
        return
      } catch (error) {
        const details = { verificationId, outcome, tries, err: error }
        this.#services.log.error(details, 'the end of a verification call was not taken')
        await sleep(firstRetryMs * 4 ** (tries - 1), undefined, { ref: false })
      }
    }
  }
}
