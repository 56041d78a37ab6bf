import { maxContactName, maxContactNotes } from '#lib/account/contacts.ts'
import { cleanName, cleanNotes } from '#lib/account/names.ts'
import type { Country } from '#lib/numbers/countries.ts'
import type { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { importTexts } from './import-texts.ts'
import type { Card } from './vcard.ts'

type PhoneRules = Awaited<ReturnType<typeof loadPhoneRules>>

export interface ImportEntry {
  readonly name: string
  readonly e164: string
  readonly isoCode: string
  readonly formatted: string
  readonly extension: string
  readonly notes: string
}

export interface ImportFault {
  /** The card's name, or its number if it has none. */
  readonly of: string
  readonly message: string
}

export interface ImportPlan {
  readonly ready: readonly ImportEntry[]
  /** Numbers that are saved already, or that come twice. */
  readonly skipped: number
  readonly faults: readonly ImportFault[]
}

/** UTF-16 code units, without half a character at the end. */
function shorten(text: string, max: number): string {
  return text.length <= max
    ? text
    : text
        .slice(0, max)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trim()
}

/**
 * What an import would save. A card with several numbers becomes a contact for each, told apart by the number's kind.
 * @param country of numbers without a country code @param saved E.164 of all contacts
 */
export function planImport(
  cards: readonly Card[],
  rules: PhoneRules,
  country: Country,
  saved: ReadonlySet<string>,
): ImportPlan {
  const ready: ImportEntry[] = []
  const faults: ImportFault[] = []
  const seen = new Set<string>()
  let skipped = 0
  for (const card of cards) {
    const cardName = cleanName(card.name)
    if (card.numbers.length === 0)
      faults.push({
        of: cardName === '' ? importTexts.nameless : cardName,
        message: importTexts.noNumber,
      })
    const notes = shorten(cleanNotes(card.notes), maxContactNotes)
    for (const { text, label } of card.numbers) {
      const written = rules.readWrittenNumber(text, country)
      const verdict = rules.parseNumber(written.number, written.country)
      if (verdict.kind !== 'ok') {
        const message = rules.verdictMessage(verdict) ?? importTexts.noNumber
        faults.push({ of: [cardName, text].filter(part => part !== '').join(', '), message })
      } else if (saved.has(verdict.e164) || seen.has(verdict.e164)) skipped += 1
      else {
        seen.add(verdict.e164)
        const kind =
          card.numbers.length > 1 && label !== '' && cardName !== '' ? importTexts.kind({ kind: label }) : ''
        const base = cardName === '' ? verdict.formatted : cardName
        ready.push({
          name: shorten(base, maxContactName - kind.length) + kind,
          ...{ e164: verdict.e164, isoCode: verdict.isoCode, formatted: verdict.formatted },
          extension: written.extension,
          notes,
        })
      }
    }
  }
  return { ready, skipped, faults }
}
