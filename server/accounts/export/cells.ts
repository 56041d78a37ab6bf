import { microUsdToUsd } from '#lib/money/money.ts'
import { exportTexts } from './export-texts.ts'

/** An amount as two columns. @param microUsd null where there is none */
export function money<Name extends string>(
  name: Name,
  microUsd: number | null,
): Record<`${Name}_usd` | `${Name}_micro_usd`, number | null> {
  return {
    [`${name}_usd`]: microUsd === null ? null : microUsdToUsd(microUsd),
    [`${name}_micro_usd`]: microUsd,
  } as Record<`${Name}_usd` | `${Name}_micro_usd`, number | null>
}

export const moneyColumns = (name: string, what: string) => ({
  [`${name}_usd`]: what,
  [`${name}_micro_usd`]: exportTexts.same,
})

/** ISO 8601, UTC. */
export const time = (at: Date | null) => at?.toISOString() ?? null
