/**
 * Whether a word of a name begins with what was typed, give or take a letter left out, added, changed or swapped with the next;
 * from 7 letters on two. A dial code has no neighbours. Plain lower case, names joined by spaces or plus signs.
 */
export function isNear(typed: string, names: string): boolean {
  const allowed = typed.length < 4 || typed[0] === '+' ? -1 : typed.length < 7 ? 1 : 2
  // Optimal string alignment: a row for each letter typed, which may begin at any word and end anywhere.
  let above: number[] = []
  let row = [0, ...[...names].map(letter => (/[ +]/.test(letter) ? 0 : 9))]
  for (let line = 0; line < typed.length; line += 1) {
    const next = [line + 1]
    for (let at = 0; at < names.length; at += 1) {
      const swapped = typed[line] === names[at - 1] && typed[line - 1] === names[at]
      next.push(
        Math.min(
          (row[at + 1] as number) + 1,
          (next[at] as number) + 1,
          (row[at] as number) + +(typed[line] !== names[at]),
          swapped ? (above[at - 1] as number) + 1 : 9,
        ),
      )
    }
    ;[above, row] = [row, next]
  }
  return Math.min(...row) <= allowed
}
