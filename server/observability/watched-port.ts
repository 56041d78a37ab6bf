import type { Clock } from '../process/clock.ts'
import type { Observer } from './port.ts'
import type { Tracing } from './tracing.ts'

export interface Watching {
  readonly clock: Clock
  readonly observe: Observer
  readonly tracing: Tracing | undefined
}

/** The operations of each port that call a provider; the others are answered locally. */
export const operations = {
  telephony: ['hangUp', 'setLimit', 'inspect', 'listLive', 'verifyNumber', 'isVerified', 'forgetNumber'],
  payments: [
    'openCheckout',
    'closeCheckout',
    'chargeKeptCard',
    'refund',
    'lookUp',
    'lookUpCharge',
    'findCharge',
    'forgetCard',
  ],
  mail: ['send'],
  google: ['addressFor', 'identify'],
} as const

/** Error codes for a failure of the provider; other rejections are answers. */
const troubles = ['provider_unavailable', 'unavailable', 'unreachable', 'lost']

/** Reads results only to see whether they failed. @param isAnswer whether a thrown value counts as an answer */
export function watchPort<Port extends object>(
  port: Port,
  provider: string,
  operations: readonly (keyof Port & string)[],
  { clock, observe, tracing }: Watching,
  isAnswer: (thrown: unknown) => boolean = () => false,
): Port {
  const watch = (operation: string, ask: () => Promise<unknown>) => {
    const timed = async () => {
      const beganMs = clock.monotonicMs()
      let failed = true
      try {
        const answer = await ask()
        failed = isTrouble(answer)
        return answer
      } catch (error) {
        failed = !isAnswer(error)
        throw error
      } finally {
        observe({ kind: 'provider_asked', provider, operation, ms: clock.monotonicMs() - beganMs, failed })
      }
    }
    return tracing === undefined
      ? timed()
      : tracing.span(`${provider} ${operation}`, { provider, operation }, timed)
  }
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function' || !operations.some(operation => operation === key)) return value
      return (...given: unknown[]) =>
        watch(String(key), async () => Reflect.apply(value, target, given) as Promise<unknown>)
    },
  })
}

function isTrouble(answer: unknown): boolean {
  const { ok, code } = (answer ?? {}) as { ok?: unknown; code?: unknown }
  return ok === false && troubles.includes(String(code))
}
