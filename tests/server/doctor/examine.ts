import { type Check, examine, type Finding } from '#server/process/finding.ts'

/** What a check finds, a line each: `warning: The pages are not built yet.` */
export async function found(check: Check, limitMs?: number): Promise<string[]> {
  return lines(await examine(check, limitMs))
}

export function lines(findings: readonly Finding[]): string[] {
  return findings.map(({ state, says }) => `${state}: ${says}`)
}
