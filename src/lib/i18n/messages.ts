import type { GetICUArgs } from '@schummar/icu-type-parser'
import { compileMessage } from './compile.ts'
import { formatsOf } from './formats.ts'
import { currentLanguage, sourceLanguage } from './language.ts'

/** Names of the tags in a message: `<terms>our terms</terms>`. */
type TagsIn<Message extends string> = Message extends `${string}</${infer Name}>${infer Rest}`
  ? Name | TagsIn<Rest>
  : never

type ArgumentsOf<Message extends string> = GetICUArgs<
  Message,
  { ICUNumberArgument: number; ICUDateArgument: never; ICUArgument: string }
>

/** A message without placeholders is a string, one with tags a function to a list of what they return, with the text between. */
type Text<Message extends string> = [TagsIn<Message>] extends [never]
  ? keyof ArgumentsOf<Message> extends never
    ? string
    : (values: ArgumentsOf<Message>) => string
  : <Node>(
      values: ArgumentsOf<Message> & Record<TagsIn<Message>, (text: string) => Node>,
    ) => readonly (string | Node)[]

type Messages = Readonly<Record<string, string>>
export type Texts<English extends Messages> = { readonly [Key in keyof English]: Text<English[Key]> }

interface Definition {
  readonly scope: string
  readonly english: Messages
}

const definitions = new WeakMap<object, Definition>()
const catalogues = new Map<string, Readonly<Record<string, Messages>>>()
const compiled = new Map<string, unknown>()

/** Adds a language's messages, by scope and key. Without them its texts cannot be read. */
export function addLanguage(language: string, catalogue: Readonly<Record<string, Messages>>): void {
  catalogues.set(language, catalogue)
}

/**
 * The texts of one feature: ICU messages in English, read in the language of the page (`currentLanguage`). Read a text where it is
 * used, never into a constant of a module: a module is evaluated once for all languages. The build puts the page's language alone into
 * its scripts (`scripts/build/languages`), and checks that every language has every message.
 * @param scope names the file of each language: `src/languages/<tag>/<scope>.json`
 */
export function messages<const English extends Messages>(scope: string, english: English): Texts<English> {
  return reader({ scope, english }, currentLanguage) as Texts<English>
}

/** The same texts in one language, whatever the page's is: for mails and receipts. */
export function textsIn<English extends Messages>(texts: Texts<English>, language: string): Texts<English> {
  const definition = definitionOf(texts)
  if (definition === undefined) throw new Error('these are no texts made by messages()')
  return reader(definition, () => language) as Texts<English>
}

/** What `messages` was given; undefined for anything else. For the build. */
export function definitionOf(texts: object): Definition | undefined {
  return definitions.get(texts)
}

function reader(definition: Definition, language: () => string): object {
  const texts = {}
  for (const key of Object.keys(definition.english)) {
    const get = () => read(language(), definition, key)
    Object.defineProperty(texts, key, { enumerable: true, get })
  }
  definitions.set(texts, definition)
  return texts
}

/** @throws Error for a language, scope or key that is not there */
function read(language: string, { scope, english }: Definition, key: string): unknown {
  const id = `${language} ${scope} ${key}`
  if (!compiled.has(id)) {
    const text = language === sourceLanguage ? english[key] : catalogues.get(language)?.[scope]?.[key]
    if (text === undefined) throw new Error(`src/languages/${language}/${scope}.json has no ${key}`)
    const { code } = compileMessage(text, 'formats', language)
    compiled.set(id, new Function('formats', `return ${code}`)(formatsOf(language)))
  }
  return compiled.get(id)
}
