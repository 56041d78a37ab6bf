import { lineCheckPurpose } from '#lib/api/line-check.ts'
import type { CallControl } from '../port.ts'
import type { CallServices } from './call-contract.ts'
import { endings } from './ending-texts.ts'
import { echoLine } from './endpoints/simple-lines.ts'
import { LocalSide } from './local-side.ts'
import type { MediaAddress } from './media/media-address.ts'

/** Max length; a check takes about eight seconds. */
export const longestLineCheckMs = 15_000

export function asksLineCheck(asked: URLSearchParams): boolean {
  return asked.get('Purpose') === lineCheckPurpose
}

/** The same path as any call, to an echo endpoint; nothing is recorded. */
export function lineCheckServices(services: CallServices, address: () => MediaAddress): CallServices {
  const { control, random } = services
  const place: CallControl['place'] = async ({ userId, sessionId }) => {
    if (!(await control.admitLineCheck(userId, sessionId)))
      return { kind: 'refuse', code: 'rate_limit', message: endings.lineCheck }
    const callId = random.uuid()
    return { kind: 'connect', callId, to: '', from: '', limitMs: longestLineCheckMs, rateMicroUsd: 0 }
  }
  return {
    ...services,
    control: { ...control, place, report: async () => undefined },
    farSide: options => new LocalSide({ address, lineOf: () => echoLine }, options),
  }
}
