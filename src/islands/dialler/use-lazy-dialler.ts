import { atom } from 'nanostores'
import { startTransition, useEffect, useState } from 'react'
import { nextTask } from './next-task.ts'

type LazyDiallerParts = typeof import('./lazy-parts.ts')

const $loaded = atom<LazyDiallerParts | null>(null)
let asked = false

async function load(): Promise<void> {
  if (asked) return
  asked = true
  // After `later-parts.ts`: the code that both need is evaluated with the smaller one, so that neither task is long.
  await nextTask()
  await nextTask()
  try {
    $loaded.set(await import('./lazy-parts.ts'))
  } catch (error) {
    asked = false
    // The page handles a chunk that does not load (SPEC-2.19).
    console.error('A part of the dialler did not load.', error)
  }
}

/** The dialogs and the sidebar; null until loaded. @param wanted whether to load them now */
export function useLazyDialler(wanted: boolean): LazyDiallerParts | null {
  const [parts, setParts] = useState($loaded.get)
  useEffect(() => {
    if (wanted) void load()
  }, [wanted])
  // Not useStore: it would render every part that arrives in one task, which delays the press of a key by 100 ms on a
  // slow phone.
  useEffect(() => $loaded.subscribe(loaded => startTransition(() => setParts(loaded))), [])
  return parts
}
