import { isNumberQuery } from '#lib/account/contacts.ts'
import { texts } from './texts.ts'

export function nobodyFound(query: string): string {
  return isNumberQuery(query) ? texts.noSuchNumber : texts.noSuchName
}
