import type { ClientDirective } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates when the page has loaded and the browser is idle, or at the first interaction with the island. */
    'client:soon'?: boolean
  }
}

/** Events that count as an interaction, including the pointer entering the island. */
const touches = ['pointerover', 'focusin', 'input'] as const

/** Replays presses of buttons made before hydration. Typed text stays in the fields, where the island reads it. */
const soon: ClientDirective = (load, _options, island) => {
  const pressed = pressedBefore(island)
  let begun = false
  const remember = (event: Event) => {
    const button = event.target instanceof Element && event.target.closest('button')
    if (button) pressed.push(button)
  }
  const begin = async () => {
    if (begun) return
    begun = true
    for (const touch of touches) island.removeEventListener(touch, begin)
    const hydrate = await load()
    await hydrate()
    island.removeEventListener('click', remember)
    for (const button of pressed) button.click()
  }
  const wait = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(begin)
    else setTimeout(begin, 200)
  }
  island.addEventListener('click', remember)
  for (const touch of touches) island.addEventListener(touch, begin)
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait)
}

/** Buttons pressed before this directive loaded, once per press; see `later-script.ts`. */
function pressedBefore(island: HTMLElement): HTMLElement[] {
  return [...island.querySelectorAll<HTMLElement>('[data-pressed]')].flatMap(button => {
    const times = button.dataset['pressed']?.length // one letter per press
    delete button.dataset['pressed']
    return Array<HTMLElement>(times ?? 0).fill(button)
  })
}

export default soon
