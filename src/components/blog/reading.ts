// @vocabulary words: they are words of a language.
import { dateFormat } from '#lib/i18n/date-format.ts'

/** Words a minute; a text about telephone numbers is read no faster. */
const readingPace = 200

/** The words of a piece of HTML: tags, scripts, styles and comments are none. */
export function countWords(html: string): number {
  const text = html
    .replace(/<!--.*?-->|<(script|style|svg)\b.*?<\/\1>/gs, ' ')
    .replace(/<\/?(?:b|i|em|strong|a|s|code|abbr|span)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:nbsp|#160|#xa0);/gi, ' ')
  return text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0
}

/** Whole minutes that a text takes to read, at least one. */
export function readingMinutes(html: string): number {
  return Math.max(1, Math.round(countWords(html) / readingPace))
}

/** Keeps an international number on one line, as text: `+44 20 7946 0958`. */
export function keepNumbersWhole(html: string): string {
  return html.replace(/\+\d[\d ]*\d/g, number => number.replaceAll(' ', '\u00a0'))
}

/** `12 November 2026`; a date of the front matter is a day, wherever the reader is. */
export const formatDate = dateFormat({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `2026-11-12`, for machines. */
export function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10)
}
