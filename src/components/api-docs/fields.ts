import type { JsonSchema } from '#lib/openapi/schema.ts'

/** One field as the page prints it, those of objects within it after it. */
export interface FieldLine {
  /** From the outermost object down: `charges[].amount`. */
  readonly name: string
  readonly type: TypeText
  readonly optional: boolean
  readonly about: string | undefined
}

/** What a value is, in words; `ref` is a schema that the page has at its end. */
export interface TypeText {
  readonly text: string
  readonly ref?: string | undefined
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
}

export function fieldLines(schema: JsonSchema, within = ''): readonly FieldLine[] {
  const list = schema.items?.properties === undefined ? '' : '[].'
  const object = objectIn(schema)
  return Object.entries(object?.properties ?? {}).flatMap(([field, part]) => {
    const name = `${within}${list}${field}`
    const optional = !(object?.required?.includes(field) ?? false)
    const line = { name, type: typeText(part), optional, about: part.description }
    return [line, ...fieldLines(part, part.items?.properties === undefined ? `${name}.` : name)]
  })
}

function objectIn(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties !== undefined) return schema
  if (schema.items?.properties !== undefined) return schema.items
  return schema.anyOf?.find(part => part.properties !== undefined)
}

export function typeText(schema: JsonSchema): TypeText {
  if (schema.$ref !== undefined) {
    const ref = schema.$ref.replace('#/components/schemas/', '')
    return { text: ref, ref }
  }
  if (schema.items !== undefined) {
    const { text, ref } = typeText(schema.items)
    return { text: `list of ${text}`, ref }
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) {
    const all = choices.map(typeText)
    return {
      text: [...new Set(all.map(({ text }) => text))].join(' or '),
      ref: all.find(({ ref }) => ref !== undefined)?.ref,
    }
  }
  if (schema.const !== undefined) return { text: String(schema.const) }
  if (schema.enum !== undefined) return { text: schema.enum.join(' | ') }
  const types = [schema.type ?? 'object'].flat()
  return { text: types.map(type => kinds[type] ?? type).join(' or ') + limits(schema) }
}

function limits(schema: JsonSchema): string {
  const { minimum, maximum, maxLength } = schema
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (typeof maxLength === 'number' && maxLength <= 1000) return `, at most ${maxLength}`
  return ''
}
