import { useSyncExternalStore } from 'react'

/** From here on there is room beside the phone: the width at which the style sheets make it. */
const room = '(width >= 56rem)'

function follow(onChange: () => void): () => void {
  const query = matchMedia(room)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Whether the window is wide enough for the column beside the phone. */
export function useWide(): boolean {
  return useSyncExternalStore(follow, () => matchMedia(room).matches)
}
