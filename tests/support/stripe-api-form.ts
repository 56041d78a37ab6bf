/** A form with nested parameters as Stripe parses it: `line_items[0][quantity]=1`. All leaves are strings. */
export type Form = { [name: string]: FormValue }
export type FormValue = string | FormValue[] | Form

/** @throws Error for a malformed or repeated name */
export function readForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) place(form, pathOf(name), value)
  return asLists(form) as Form
}

function pathOf(name: string): string[] {
  if (!/^[a-z_0-9]+(\[[a-z_0-9]+\])*$/i.test(name)) throw new Error(`a parameter's name is wrong: ${name}`)
  return name.split(/\[|\]\[|\]/).filter(part => part !== '')
}

function place(form: Form, path: readonly string[], value: string): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    if (name in form) throw new Error(`a parameter is given twice: ${name}`)
    form[name] = value
    return
  }
  form[name] ??= {}
  const inner = form[name]
  if (typeof inner === 'string' || Array.isArray(inner)) throw new Error(`a parameter is two things: ${name}`)
  place(inner, rest, value)
}

/** Turns keys that count from 0 into lists. */
function asLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, asLists(inner)] as const)
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
