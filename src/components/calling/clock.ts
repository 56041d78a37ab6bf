/** Tells the time in every element that names a zone, on the bar of the day, and in a word on whether people are up. */
export function runClock(): void {
  const day = document.querySelector('.day') as HTMLElement
  const verdict = document.querySelector('.verdict') as HTMLElement
  const applyTime = () => {
    let first = ''
    for (const clock of document.querySelectorAll<HTMLTimeElement>('[data-zone]')) {
      const time = new Date().toLocaleTimeString('en-GB', {
        timeStyle: 'short',
        timeZone: clock.dataset.zone as string,
      })
      clock.textContent = clock.dateTime = time
      first ||= time
    }
    const hours = +first.slice(0, 2) + +first.slice(3) / 60
    day.style.setProperty('--at', `${hours / 0.24}%`)
    verdict.textContent = verdict.dataset[hours < 7 || hours >= 22 ? 'asleep' : 'awake'] as string
  }
  applyTime()
  setInterval(applyTime, 3e4)
}
