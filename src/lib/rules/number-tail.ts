import type { Country } from './countries.ts'
import { keepDialable } from './dialable.ts'
import { keepExtension } from './extension.ts'
import { parseNumber } from './phone.ts'

/** What a `tel:` link says behind its number (RFC 3966, section 3). */
export interface Tail {
  /** `ext=`, or the digits after the answer that mobile phones write (`postd=`). */
  readonly extension: string
  /** `phone-context=` where it is the beginning of an international number: `+44`. Empty where it is a domain. */
  readonly context: string
  /** What follows the parameters. */
  readonly rest: string
}

/** Reads the parameters that a text begins with; other texts have none. */
export function parameters(text: string): Tail {
  const all = /^(?:;[a-z][a-z0-9-]*(?:=[^;,\s]*)?)+/i.exec(text)?.[0] ?? ''
  const of = (name: string) => new RegExp(`;${name}=([^;]*)`, 'i').exec(all)?.[1] ?? ''
  const context = of('phone-context')
  return {
    extension: keepExtension(behindPause(of('ext')) || of('postd')),
    context: context.startsWith('+') ? keepDialable(context) : '',
    rest: text.slice(all.length),
  }
}

/** Pauses and digits without a space, as telephones keep them, with nothing behind that makes it another number. */
const paused = /^([,;pw]+[0-9*#][0-9*#,;pw]*)(?![ \-.()/]*[0-9])/i
/** An extension in words, of several languages, and `#123` or `x123`. */
const named =
  /^[ ,;-]*(?:ext(?:ension|n)?|extensión|anexo|ramal|poste|interno|int|доб|durchwahl|x|#)[.:]? *#?([0-9][0-9*#,]{0,19})(?![ \-.]*[0-9])/i

/** A pause before digits that came without one: a menu takes that long to listen. */
function behindPause(digits: string): string {
  return digits === '' ? '' : `,${digits}`
}

/** The extension that follows a number; another number behind a comma is none. */
export function extensionOf(text: string, tail: Tail, chosen: Country): string {
  if (tail.extension !== '') return tail.extension
  const extension = keepExtension(paused.exec(tail.rest)?.[1] ?? behindPause(named.exec(text)?.[1] ?? ''))
  const another = /^,\d{7,}$/.test(extension) && parseNumber(extension, chosen).kind === 'ok'
  return another ? '' : extension
}
