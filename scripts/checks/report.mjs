// What the checks of one run found. The runners add to it, and `main.mjs` prints it at the end.

/**
 * @typedef {{ name: string, seconds: number }} Timed
 * @typedef {{ name: string, error: string }} Failed `error` may have several lines
 * @typedef {{ passed: number, failed: Failed[], unsteady: Failed[], slowest: Timed[] }} Found `unsteady`: what passed only at
 *   the second try, with the error of the first
 */

/** @type {Found} */
const found = { passed: 0, failed: [], unsteady: [], slowest: [] }
const startedAt = performance.now()

/** @param {Partial<Found>} more */
export function report({ passed = 0, failed = [], unsteady = [], slowest = [] }) {
  found.passed += passed
  found.failed.push(...failed)
  found.unsteady.push(...unsteady)
  found.slowest.push(...slowest)
}

export function wentWell() {
  return found.failed.length === 0
}

/**
 * Its last line has the form "N passed, N failed". `.ci/run` counts the lines that begin with "  passed only".
 * @param {string} name of the suite
 */
export function summary(name) {
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  const slowest = found.slowest.sort((a, b) => b.seconds - a.seconds).slice(0, 20)
  return [
    '',
    ...slowest.map(({ name, seconds }) => `  ${seconds.toFixed(0).padStart(4)} s  ${name}`),
    ...found.unsteady.flatMap(({ name, error }) => [
      `  passed only at the second try: ${name}`,
      ...error.split('\n').map(line => `      ${line}`),
    ]),
    ...found.failed.map(({ name, error }) => `  FAILED: ${name}${error === '' ? '' : `: ${error}`}`),
    `${name}, ${minutes} minutes:`,
    `${found.passed} passed, ${found.failed.length} failed`,
    '',
  ].join('\n')
}
