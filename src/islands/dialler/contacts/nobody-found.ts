import { isNumberQuery } from '#lib/account/contacts.ts'

export function nobodyFound(query: string): string {
  return isNumberQuery(query) ? 'No contact has that number.' : 'No contact has that name.'
}
