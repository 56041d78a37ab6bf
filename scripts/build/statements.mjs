import { parseSync } from 'vite'

/** The statements of a script, by the bundler's own parser. @throws {Error} when it does not parse */
export function statementsOf(script) {
  const { program, errors } = parseSync('script.js', script)
  if (errors.length > 0) throw new Error(`${errors[0]?.message}: ${script.slice(0, 100)}`)
  return program.body
}
