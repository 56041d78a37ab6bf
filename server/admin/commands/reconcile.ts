import * as z from 'zod/mini'
import type { Command } from './command.ts'

const report = z.object({
  transfers: z.number(),
  compared: z.number(),
  notCompared: z.number(),
  differences: z.array(z.object({ text: z.string() })),
})

export const reconcileCommand: Command = {
  name: 'reconcile',
  synopsis: 'reconcile',
  does: 'Compares calls, meter, ledger and provider now, and changes nothing',
  read({ args, actor }) {
    return args.length === 0
      ? { path: '/reconcile', body: { actor }, uncertainty: 'what it found' }
      : undefined
  },
  format(value) {
    const { transfers, compared, notCompared, differences } = z.parse(report, value)
    const missed = notCompared === 0 ? '' : `, ${notCompared} not: the provider could not be reached`
    return [
      `Compared ${transfers} transfers with calls, meters and payments, and ${compared} payments with the provider${missed}.`,
      ...(differences.length === 0
        ? ['Nothing differs.']
        : [`Differences: ${differences.length}`, ...differences.map(({ text }) => `- ${text}`)]),
    ].join('\n')
  },
  errorTexts: {},
}
