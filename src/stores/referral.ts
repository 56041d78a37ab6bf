import { atom, type ReadableAtom } from 'nanostores'

const $found = atom<string | null>(null)
/** Who referred this visitor, as the referral script says; null until it has. Written here alone. */
export const $referralId: ReadableAtom<string | null> = $found

/** Specification sections 7 and 9. */
export const referralPollMs = 500
/** No more than the server takes. */
const longest = 100

/** What stands at `path` of the page's globals, such as `referralValue` or `Vendor.referral`. */
function valueAt(path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      globalThis,
    )
}

/**
 * Looks every 500 ms for the referral value that a script of the page sets, until it is there (decision 9).
 * @param path of the global, its names separated by dots
 * @returns stops looking
 */
export function watchReferral(path: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    const value = valueAt(path)
    if (typeof value === 'string' && value !== '' && value.length <= longest) $found.set(value)
    else timer = setTimeout(look, referralPollMs)
  }
  look()
  return () => clearTimeout(timer)
}
