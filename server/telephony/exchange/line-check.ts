import { lineCheckPurpose } from '#lib/api/line-check.ts'
import type { CallControl } from '../port.ts'
import type { CallServices } from './call-contract.ts'
import { echoLine } from './lines/echo-line.ts'

/** A check takes some eight seconds; whoever does not hang up is hung up on. */
export const longestLineCheckMs = 15_000

/** Whether what a client sent with its invitation asks for a check of its line. */
export function asksLineCheck(asked: URLSearchParams): boolean {
  return asked.get('Purpose') === lineCheckPurpose
}

/** The same path as of every call, to a far end that gives the sound back: no book hears of it. */
export function lineCheckServices(services: CallServices): CallServices {
  const { control, random } = services
  const place: CallControl['place'] = async ({ userId }) => {
    if (!(await control.admitLineCheck(userId)))
      return { kind: 'refuse', code: 'rate_limit', message: 'This line cannot be checked now.' }
    return { kind: 'connect', callId: random.uuid(), to: '', from: undefined, limitMs: longestLineCheckMs }
  }
  return {
    ...services,
    control: { ...control, place, report: async () => undefined },
    lineOf: () => echoLine,
  }
}
