// @vocabulary words: they are words of a language.
/** Offers the place that an address names: by whole words, the last first, then by words with a common beginning. */
export function guessPlace(): void {
  const guess = document.querySelector<HTMLElement>('.guess')
  const link = guess?.querySelector('a')
  if (!guess || !link) return
  const known: [word: string, label: string, href: string][] = JSON.parse(guess.dataset.places ?? '[]')
  const parts = location.pathname
    .toLowerCase()
    .replace(/\.\w+$/, '')
    .split('/')
  const words = parts.flatMap(part => [...part.split(/[^a-z]+/), part.replace(/[^a-z]/g, '')]).reverse()
  const found = [
    (word: string, typed: string) => word === typed,
    (word: string, typed: string) => typed.length > 2 && (typed.startsWith(word) || word.startsWith(typed)),
  ]
    .flatMap(matches => words.map(typed => known.find(([word]) => matches(word, typed))))
    .find(Boolean)
  if (!found) return
  link.textContent = found[1]
  link.href = found[2]
  guess.hidden = false
}
