import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useEffect } from 'react'
import { nextTask } from '#stores/next-task.ts'

type AroundPhone = typeof import('./around-phone.ts')

const $loaded = atom<AroundPhone | null>(null)
let asked = false

async function load(): Promise<void> {
  if (asked) return
  asked = true
  await nextTask()
  try {
    $loaded.set(await import('./around-phone.ts'))
  } catch (error) {
    asked = false
    // A piece that does not load is dealt with by the page (specification section 2).
    console.error('The dialogs did not load.', error)
  }
}

/**
 * The dialogs and the column beside the phone; null until they are there.
 * @param wanted something of it is to be shown: it is loaded, if nobody has asked for it before
 */
export function useAroundPhone(wanted: boolean): AroundPhone | null {
  useEffect(() => {
    if (wanted) void load()
  }, [wanted])
  return useStore($loaded)
}
