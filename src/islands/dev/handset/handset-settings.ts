import { atom, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import { tabStore } from '#session/storage.ts'

const settings = z.object({
  number: z.string(),
  whenItRings: z.enum(['answer', 'by_itself', 'busy', 'never']),
  says: z.enum(['microphone', 'voice', 'tone']),
})
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
/** Stored per tab. */
export const $handsetSettings: ReadableAtom<HandsetSettings> = $kept

export function changeHandset(change: Partial<HandsetSettings>): void {
  const next = { ...$kept.get(), ...change }
  $kept.set(next)
  tabStore.write(key, JSON.stringify(next))
}
