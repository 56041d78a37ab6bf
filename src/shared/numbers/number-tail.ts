import type { Country } from '#lib/numbers/countries.ts'
import { keepDialable } from '#lib/numbers/dialable.ts'
import { keepExtension } from '#lib/numbers/extension.ts'
import { parseNumber } from '#lib/numbers/phone.ts'

/** Parameters after the number in a `tel:` link (RFC 3966, section 3). */
export interface Tail {
  /** `ext=`, or the digits to send after the answer, as mobile phones write them (`postd=`). */
  readonly extension: string
  /** `phone-context=` if it is an international prefix such as `+44`; empty if it is a domain. */
  readonly context: string
  readonly rest: string
}

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

/** Pauses and digits without spaces, as phones store them, unless more digits follow as another number. */
const paused = /^([,;pw]+[0-9*#][0-9*#,;pw]*)(?![ \-.()/]*[0-9])/i
const named =
  /^[ ,;-]*(?:ext(?:ension|n)?|extensión|anexo|ramal|poste|interno|int|доб|durchwahl|x|#)[.:]? *#?([0-9][0-9*#,]{0,19})(?![ \-.]*[0-9])/i

/** Adds a pause, so that the callee's menu is ready for the digits. */
function behindPause(digits: string): string {
  return digits === '' ? '' : `,${digits}`
}

/** The extension after a number; a second number after a comma is none. */
export function extensionOf(text: string, tail: Tail, chosen: Country): string {
  if (tail.extension !== '') return tail.extension
  const extension = keepExtension(paused.exec(tail.rest)?.[1] ?? behindPause(named.exec(text)?.[1] ?? ''))
  const another = /^,\d{7,}$/.test(extension) && parseNumber(extension, chosen).kind === 'ok'
  return another ? '' : extension
}
