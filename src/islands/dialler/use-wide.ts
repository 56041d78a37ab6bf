import { useSyncExternalStore } from 'react'

/** The width at which the style sheets show the sidebar. */
const room = '(width >= 56rem)'

function follow(onChange: () => void): () => void {
  const query = matchMedia(room)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

export function isWide(): boolean {
  return matchMedia(room).matches
}

export function useWide(): boolean {
  return useSyncExternalStore(follow, isWide)
}
