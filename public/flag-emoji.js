// Loaded once the image of a flag has failed (src/layouts/frame-script.ts): shows each failed flag's emoji in its place.

function substitute(flag) {
  const emoji = document.createElement('i')
  emoji.className = flag.className
  // `/flags/in.svg`: the letters of the code as regional indicators.
  const letters = [...flag.src.slice(-6, -4)]
  emoji.dataset.emoji = String.fromCodePoint(...letters.map(letter => letter.codePointAt(0) + 0x1f185))
  flag.replaceWith(emoji)
}

addEventListener('error', ({ target }) => target.dataset?.emoji && substitute(target), true)
for (const flag of document.querySelectorAll('img[data-emoji]'))
  if (flag.complete && flag.naturalWidth === 0) substitute(flag)
