/** One-dimensional arrays in PostgreSQL's text form, `{one,"two, with a comma",NULL}`. */

export function writeArray(values: readonly string[]): string {
  return `{${values.map(value => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

export function readArray<Value>(text: string, parse: (element: string) => Value): (Value | null)[] {
  const elements = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)
  return [...elements].map(([, quoted, plain]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'))
    return plain === undefined || plain === 'NULL' ? null : parse(plain)
  })
}
