import { atom, type ReadableAtom } from 'nanostores'

const $found = atom<string | null>(null)
/** Who referred this visitor, by the referral script; null until it has set it. */
export const $referralId: ReadableAtom<string | null> = $found

/** SPEC-7.18. */
export const referralPollMs = 500
/** The server's max length. */
const longest = 100

function valueAt(path: string): unknown {
  const step = (value: unknown, name: string) => (value as Record<string, unknown> | null | undefined)?.[name]
  return path.split('.').reduce<unknown>(step, globalThis)
}

/** Checks every 500 ms for the value that the referral script sets at `path`, such as `a.b` (PD-9). @returns stops */
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
