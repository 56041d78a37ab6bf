import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useEffect } from 'react'
import { nextTask } from './next-task.ts'

type LazyDiallerParts = typeof import('./lazy-parts.ts')

const $loaded = atom<LazyDiallerParts | null>(null)
let asked = false

async function load(): Promise<void> {
  if (asked) return
  asked = true
  await nextTask()
  try {
    $loaded.set(await import('./lazy-parts.ts'))
  } catch (error) {
    asked = false
    // The page handles a chunk that does not load (SPEC-2.19).
    console.error('The dialogs did not load.', error)
  }
}

/** The dialogs and the sidebar; null until loaded. @param wanted whether to load them now */
export function useLazyDialler(wanted: boolean): LazyDiallerParts | null {
  useEffect(() => {
    if (wanted) void load()
  }, [wanted])
  return useStore($loaded)
}
