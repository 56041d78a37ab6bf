/**
 * `/faq`: opens the question that the address names, in browsers that do not by themselves, and searches the
 * questions, their answers and their `data-words`. The style sheet does the rest: it hides groups that have
 * nothing left and shows what to do when none has. Every byte of it is in the page.
 */
export function searchQuestions(): void {
  const find = document.querySelector.bind(document)
  const input = find('[type=search]') as HTMLInputElement

  const search = () => {
    const wanted = input.value.trim()
    const words = wanted.toLowerCase().split(' ')
    let count = 0
    for (const question of document.querySelectorAll<HTMLDetailsElement>('.faq details')) {
      const text = (question.textContent + question.dataset.words).toLowerCase()
      const found = words.every(word => text.includes(word))
      question.hidden = !found
      question.open = found && wanted !== ''
      count += +found
    }
    const status = find('output') as HTMLOutputElement
    status.value = wanted && `${count} answer${count === 1 ? '' : 's'} for “${wanted}”`
  }
  const openNamed = () => {
    const named = find('details:has(:target)') as HTMLDetailsElement | null
    if (!named) return
    named.open = true
    // Opening it moves the page, at which browsers give up the scroll that leads there.
    named.scrollIntoView()
  }

  input.oninput = search
  // A group that is chosen shows all of its questions.
  ;(find('.indexed nav') as HTMLElement).onclick = () => {
    input.value = ''
    search()
  }
  window.onhashchange = openNamed
  openNamed()
}
