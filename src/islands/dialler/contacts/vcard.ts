/** The cards of address books: vCard 3.0 and 4.0 (RFC 2426, RFC 6350), and 2.1 as old phones write it. */

export interface CardNumber {
  /** As the card has it. */
  readonly text: string
  /** `home`, `work`, `mobile`; empty if the card does not tell. */
  readonly label: string
}

export interface Card {
  /** Empty if the card has none. */
  readonly name: string
  readonly numbers: readonly CardNumber[]
  readonly notes: string
}

export interface CardFile {
  readonly cards: readonly Card[]
  /** Cards that broke off or were never begun. */
  readonly broken: number
  /** Whether there were more cards than `maxCards`. */
  readonly cut: boolean
}

/** Max bytes of a file; pictures make cards large. */
export const maxFileBytes = 20 * 1024 * 1024
export const maxCards = 2000
/** Max characters of a line that is read; a longer one is a picture. */
const maxLine = 10_000

/** The file's text: by its byte order mark, else UTF-8, else as old phones write, Windows-1252. */
export function decodeCards(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

interface Property {
  /** Upper case, without its group. */
  readonly name: string
  /** Upper case, `TYPE=HOME` and bare `HOME` alike. */
  readonly parameters: string
  readonly value: string
}

/** Reads all cards of a text. Never throws. */
export function readCards(text: string): CardFile {
  const cards: Card[] = []
  let broken = 0
  let open: Property[] | null = null
  for (const line of linesOf(text)) {
    const property = propertyOf(line)
    if (property === null) continue
    const marks = property.name === 'BEGIN' || property.name === 'END'
    if (marks && property.value.trim().toUpperCase() !== 'VCARD') continue
    if (property.name === 'BEGIN') {
      if (open !== null) broken += 1
      if (cards.length >= maxCards) return { cards, broken, cut: true }
      open = []
    } else if (property.name === 'END') {
      if (open === null) broken += 1
      else cards.push(cardOf(open))
      open = null
    } else open?.push(property)
  }
  return { cards, broken: open === null ? broken : broken + 1, cut: false }
}

/** Logical lines: folded ones joined (RFC 6350, 3.2), and those that quoted-printable breaks with `=`. */
function* linesOf(text: string): Generator<string> {
  let line = ''
  let quoted = false
  let soft = false
  for (const next of text.split(/\r\n|\n|\r/)) {
    if (soft) line = line.length < maxLine ? line.slice(0, -1) + next : line
    else if (/^[ \t]/.test(next)) line += line.length < maxLine ? next.slice(1) : ''
    else {
      yield line
      line = next
      quoted = /^[^:]*ENCODING=QUOTED-PRINTABLE|^[^:]*;QUOTED-PRINTABLE/i.test(next)
    }
    soft = quoted && next.endsWith('=')
  }
  yield line
}

/** Quoted parameters may hold a colon. */
const shape = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/s

function propertyOf(line: string): Property | null {
  const [, name = '', parameters = '', value = ''] = shape.exec(line.slice(0, maxLine)) ?? []
  if (name === '') return null
  const upper = parameters.toUpperCase()
  const quoted = /[;=]QUOTED-PRINTABLE/.test(upper)
  const charset = /CHARSET="?([\w-]+)/.exec(upper)?.[1] ?? 'UTF-8'
  return {
    name: name.toUpperCase(),
    parameters: upper,
    value: quoted ? unquote(value, charset) : value,
  }
}

/** Quoted-printable (RFC 2045, 6.7) in the given charset; an unknown one is read as UTF-8. */
function unquote(value: string, charset: string): string {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (const [part] of value.matchAll(/=[0-9A-F]{2}|[^=]+|=/gis)) {
    if (part.length === 3 && part.startsWith('=')) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...encoder.encode(part))
  }
  const array = new Uint8Array(bytes)
  try {
    return new TextDecoder(charset).decode(array)
  } catch {
    return new TextDecoder().decode(array)
  }
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/gs, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign))
}

/** Splits at semicolons that are not escaped. Each start matches, so that reading takes one pass. */
function partsOf(value: string): readonly string[] {
  return (value.match(/(?:\\.|[^;\\]|\\$)*(?:;|$)/gs) ?? []).map(part =>
    unescaped(part.replace(/;$/, '')).trim(),
  )
}

/** `N` is family; given; additional; prefixes; suffixes. */
function structuredName(value: string): string {
  const [family = '', given = '', additional = '', prefix = '', suffix = ''] = partsOf(value)
  return [prefix, given, additional, family, suffix].filter(part => part !== '').join(' ')
}

function labelOf(parameters: string): string {
  if (/\bCELL\b|\bMOBILE\b/.test(parameters)) return 'mobile'
  if (/\bWORK\b/.test(parameters)) return 'work'
  return /\bHOME\b/.test(parameters) ? 'home' : ''
}

function cardOf(properties: readonly Property[]): Card {
  const valueFor = (name: string) => properties.find(each => each.name === name)?.value ?? ''
  const names = [
    unescaped(valueFor('FN')),
    structuredName(valueFor('N')),
    unescaped(valueFor('NICKNAME')),
    partsOf(valueFor('ORG'))[0] ?? '',
  ]
  const numbers = properties
    .filter(
      ({ name, parameters, value }) => name === 'TEL' && value.trim() !== '' && !/\bFAX\b/.test(parameters),
    )
    .map(({ parameters, value }) => ({ text: unescaped(value).trim(), label: labelOf(parameters) }))
  return {
    name: names.map(name => name.trim()).find(name => name !== '') ?? '',
    numbers,
    notes: properties
      .filter(({ name }) => name === 'NOTE')
      .map(({ value }) => unescaped(value).trim())
      .join('\n'),
  }
}

export interface WrittenCard {
  readonly name: string
  /** E.164 with the plus. */
  readonly phone_number: string
  readonly extension?: string | undefined
  readonly notes?: string | undefined
}

/** Cards of version 3.0, which phones of every age read. */
export function writeCards(contacts: readonly WrittenCard[]): string {
  return contacts
    .flatMap(({ name, phone_number, extension = '', notes = '' }) => [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `N:;${escaped(name)};;;`,
      `FN:${escaped(name)}`,
      `TEL;TYPE=VOICE:${phone_number}${escaped(extension)}`,
      ...(notes === '' ? [] : [`NOTE:${escaped(notes)}`]),
      'END:VCARD',
    ])
    .map(line => `${fold(line)}\r\n`)
    .join('')
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, sign => `\\${sign}`).replace(/\n/g, '\\n')
}

/** At most 75 bytes a line, and no character torn apart (RFC 6350, 3.2). */
function fold(line: string): string {
  const encoder = new TextEncoder()
  const lines: string[] = []
  let bytes = 0
  let current = ''
  for (const character of line) {
    const size = encoder.encode(character).length
    if (bytes + size > 75) {
      lines.push(current)
      current = ' '
      bytes = 1
    }
    current += character
    bytes += size
  }
  return [...lines, current].join('\r\n')
}
