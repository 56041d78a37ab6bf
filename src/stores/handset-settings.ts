import { atom, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import { tabStore } from './storage.ts'

const settings = z.object({
  /** As it was typed. */
  number: z.string(),
  whenItRings: z.enum(['answer', 'by_itself', 'busy', 'never']),
  says: z.enum(['microphone', 'voice', 'tone']),
})
/** What the telephone of this tab is set to. */
export type HandsetSettings = z.output<typeof settings>

const key = 'handset'
const defaults: HandsetSettings = { number: '+91 98765 43210', whenItRings: 'answer', says: 'microphone' }

function remembered(): HandsetSettings {
  try {
    const parsed = z.safeParse(settings, JSON.parse(tabStore.read(key) ?? 'null'))
    return parsed.success ? parsed.data : defaults
  } catch {
    return defaults
  }
}

const $kept = atom<HandsetSettings>(remembered())
/** Remembered by this tab alone. Written here alone. */
export const $handsetSettings: ReadableAtom<HandsetSettings> = $kept

export function changeHandset(change: Partial<HandsetSettings>): void {
  const next = { ...$kept.get(), ...change }
  $kept.set(next)
  tabStore.write(key, JSON.stringify(next))
}
