/** Where `stores/toasts.ts` leaves what the next page is to say. */
const carriedKey = 'toast'

/** What was left to be said, taken once; null where there is nothing, or something else wrote under this key. */
function takeCarried(): string | null {
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(carriedKey) ?? 'null')
    sessionStorage.removeItem(carriedKey)
    const { message } = (left ?? {}) as { message?: unknown }
    return typeof message === 'string' ? message : null
  } catch {
    return null
  }
}

function cross(): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', 'i')
  svg.setAttribute('viewBox', '0 0 24 24')
  const path = document.createElementNS(svg.namespaceURI ?? '', 'path')
  path.setAttribute('d', 'M18 6 6 18M6 6l12 12')
  svg.append(path)
  return svg
}

/**
 * Shows what the page before left to say until it is dismissed, on a page that does without the toasts' island and should
 * not load its code for this. The region is there before its message, so that it is announced.
 */
export function showCarried(): void {
  const message = takeCarried()
  if (message === null) return
  const region = document.createElement('div')
  region.className = 'toasts'
  region.role = 'status'
  document.body.append(region)
  const words = document.createElement('span')
  words.textContent = message
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'tap'
  button.setAttribute('aria-label', 'Dismiss')
  button.append(cross())
  button.addEventListener('click', () => region.remove())
  const toast = document.createElement('div')
  toast.className = 'toast'
  toast.append(words, button)
  requestAnimationFrame(() => region.append(toast))
}
