import { texts } from '#islands/toasts/texts.ts'

/** The key under which `src/session/toasts.ts` saves a message for the next page. */
const carriedKey = 'toast'

/** Reads and removes the saved message; null when there is none, or the stored value is not one. */
function consumeCarried(): string | null {
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

/** For pages without the toast island. The live region exists before its message, so that the message is announced. */
export function showCarried(): void {
  const message = consumeCarried()
  if (message === null) return
  const region = document.createElement('div')
  region.className = 'toasts'
  region.role = 'status'
  document.body.append(region)
  const label = document.createElement('span')
  label.textContent = message
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'tap'
  button.setAttribute('aria-label', texts.dismiss)
  button.append(cross())
  button.addEventListener('click', () => region.remove())
  const toast = document.createElement('div')
  toast.className = 'toast'
  toast.append(label, button)
  requestAnimationFrame(() => region.append(toast))
}
