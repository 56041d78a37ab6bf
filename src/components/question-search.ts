// @vocabulary words: they are words of a language.
// Opens the question in the URL's hash, where browsers do not, and searches. Kept small: it is inlined in `/faq`.

import { folded } from '#lib/i18n/folded.ts'

const find = document.querySelector.bind(document)
const input = find('[type=search]') as HTMLInputElement
const status = find('output') as HTMLOutputElement

const search = () => {
  const wanted = input.value.trim()
  const words = folded(wanted).split(' ')
  let count = 0
  for (const question of document.querySelectorAll<HTMLDetailsElement>('.faq details')) {
    const text = folded(question.textContent + question.dataset.words)
    const found = words.every(word => text.includes(word))
    question.hidden = !found
    question.open = found && wanted !== ''
    count += +found
  }
  // What to say of each count stands in the page, in its language.
  status.value = wanted && (status.dataset[count] as string).replace('*', () => wanted)
}
const openNamed = () => {
  const named = find('details:has(:target)') as HTMLDetailsElement | null
  if (!named) return
  named.open = true
  // Opening the question shifts the page, and browsers then abandon their scroll to the anchor.
  named.scrollIntoView()
}

input.oninput = search
// Choosing a group clears the search, so that all its questions show.
;(find('.indexed nav') as HTMLElement).onclick = () => {
  input.value = ''
  search()
}
window.onhashchange = openNamed
openNamed()
