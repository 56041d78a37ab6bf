/** Adjacent keys: rows of English, German and French keyboards, digits with Shift, and columns. */
const rows = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '!@#$%^&*()',
  '1234567890',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
]
const walks = rows.flatMap(row => [row, [...row].reverse().join('')])

/** Shorter runs also occur in words, as `def` in `defend`. */
const minRun = 4

/**
 * Characters outside any sequence of at least four that are the same (`aaaa`), consecutive (`abcd`, `4321`) or adjacent
 * on a keyboard (`asdf`). Blanks do not count.
 * @param text lower-cased
 */
export function sequenceFreeLength(text: string): number {
  const characters = [...text]
  let free = 0
  for (let at = 0; at < characters.length; ) {
    const run = Math.max(stepRun(characters, at), ...walks.map(walk => walkRun(characters, at, walk)))
    if (run >= minRun) at += run
    else {
      if (characters[at] !== ' ') free += 1
      at += 1
    }
  }
  return free
}

/** Length of the run of equal, ascending or descending characters at an index. */
function stepRun(characters: readonly string[], at: number): number {
  const code = (index: number) => characters[index]?.codePointAt(0) ?? Number.NaN
  const step = code(at + 1) - code(at)
  if (![-1, 0, 1].includes(step)) return 1
  let end = at + 1
  while (code(end + 1) - code(end) === step) end += 1
  return end + 1 - at
}

function walkRun(characters: readonly string[], at: number, walk: string): number {
  const start = walk.indexOf(characters[at] ?? '')
  if (start === -1) return 0
  let length = 1
  while (start + length < walk.length && characters[at + length] === walk[start + length]) length += 1
  return length
}
