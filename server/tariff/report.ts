import { formatCharge } from '#lib/money/money.ts'
import type { PricePolicy } from '../config/policy.ts'
import type { TariffCheck, TooCheap } from './compare.ts'
import type { Proposal } from './propose.ts'

const namedPrefixes = 4

/** A purchase of another size than the reference, and how many prefixes would be below cost with its credits. */
export interface OtherPurchase {
  readonly usd: number
  readonly bonusUsd: number
  readonly prefixes: number
}

export function formatMargins({ browserLegMicroUsd, card, purchaseUsd }: PricePolicy): readonly string[] {
  const fee = `${card.percent} % + $${(card.fixedCents / 100).toFixed(2)}`
  const leg = browserLegMicroUsd === 0 ? '' : `, ${formatCharge(browserLegMicroUsd)} for the browser's leg,`
  return [`Counted: the carrier's price${leg} and what a card takes of $${purchaseUsd} (${fee}).`]
}

/** Losses that prices are allowed to make come first: at $5, the dialler's own amount, most of them may be below cost. */
export function formatOtherPurchases(
  besides: readonly OtherPurchase[],
  purchaseUsd: number,
): readonly string[] {
  return [
    `Below cost with the credits of a purchase other than $${purchaseUsd}, which is our loss and no error:`,
    ...besides.map(({ usd, bonusUsd, prefixes }) => {
      const bonus = bonusUsd === 0 ? '' : ` with $${bonusUsd} of bonus`
      return `  $${usd}${bonus}: ${prefixes === 0 ? 'no prefix' : count(prefixes, 'prefix', 'prefixes')}`
    }),
    'To have prices cover another purchase, change purchaseUsd of pricePolicy in server/config/policy.ts.',
  ]
}

/** @param purchaseUsd whole US dollars: the purchase whose card fee is counted */
export function formatCheck({ tooCheap, unpriced }: TariffCheck, purchaseUsd: number): readonly string[] {
  return [
    ...(tooCheap.length === 0
      ? [`Every price covers its costs with a purchase of $${purchaseUsd}.`]
      : formatTooCheap(tooCheap)),
    ...(unpriced.length === 0
      ? ['This file has a price for every prefix of the tariff.']
      : [
          `${count(unpriced.length, 'prefix', 'prefixes')} of the tariff have no price in this file:`,
          ...byCountry(unpriced).map(([isoCode, prefixes]) => `  ${isoCode}  ${named(prefixes)}`),
        ]),
  ]
}

/** Merges lines that differ only in their prefix. */
function formatTooCheap(tooCheap: readonly TooCheap[]): readonly string[] {
  const groups = new Map<string, { readonly first: TooCheap; readonly prefixes: string[] }>()
  for (const one of tooCheap) {
    const key = [one.isoCode, one.kind, one.price, one.cost].join()
    const group = groups.get(key) ?? { first: one, prefixes: [] }
    group.prefixes.push(one.prefix)
    groups.set(key, group)
  }
  const rows = [...groups.values()].map(({ first, prefixes }) => {
    const { isoCode, kind, price, cost, needed } = first
    return [isoCode, kind, ...[price, cost, needed].map(formatCharge), named(prefixes)]
  })
  return [
    `${count(tooCheap.length, 'prefix is', 'prefixes are')} sold below cost:`,
    ...table([['', 'kind', 'price', 'cost', 'needed', 'prefixes'], ...rows]),
  ]
}

export function formatProposal({ tooExpensive }: Proposal, file: string): readonly string[] {
  return [
    ...tooExpensive.map(
      ({ prefix, isoCode, needed }) =>
        `  ${isoCode}  ${prefix} would need ${formatCharge(needed)}, above the limit on rates: left unchanged. Remove the prefix, or raise the limit.`,
    ),
    `Wrote ${file}. Review it, then run: npm run admin -- prices ${file}`,
  ]
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows.map(row =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
}

function byCountry(rates: readonly { isoCode: string; prefix: string }[]): readonly [string, string[]][] {
  const groups = new Map<string, string[]>()
  for (const { isoCode, prefix } of rates) groups.set(isoCode, [...(groups.get(isoCode) ?? []), prefix])
  return [...groups]
}

function named(prefixes: readonly string[]): string {
  const more = prefixes.length - namedPrefixes
  return prefixes.slice(0, namedPrefixes).join(' ') + (more > 0 ? ` and ${more} more` : '')
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`
}
