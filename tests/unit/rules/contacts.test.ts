import { describe, expect, test } from 'vitest'
import { cleanContactName, searchContacts, sortByName } from '#lib/rules/contacts.ts'

describe('a name', () => {
  test.each([
    ['  Mum  ', 'Mum'],
    ['Dr\tWeber,\n\n Köln', 'Dr Weber, Köln'],
    ['Zoe\u0308', 'Zoë'],
    ['\u202eevil\u202c \u2067name', 'evil name'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩\u200d🚀', '👩\u200d🚀'],
    ['a\ud83d', 'a\ufffd'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
  ])('%j is kept as %j', (text, name) => {
    expect(cleanContactName(text)).toBe(name)
  })

  test.each(['', '   ', '\u00a0\u3000', '\u200d\u200c', '\u200f', '\u115f', '\u0301', '\u202e'])(
    '%j is no name at all',
    text => {
      expect(cleanContactName(text)).toBe('')
    },
  )

  test('cleaned once is clean', () => {
    for (const text of [' a \u202e b ', 'Zoe\u0308\u00ad', '\u200b x\u2028y '])
      expect(cleanContactName(cleanContactName(text))).toBe(cleanContactName(text))
  })
})

const people = ['Anjali Rao', 'Dr Weber, Köln', 'Łukasz', 'Mum', 'Seán O’Brien', 'محمد'].map(name => ({
  name,
}))
const found = (query: string) => searchContacts(people, query).map(({ name }) => name)

describe('the search', () => {
  test.each([
    ['', people.map(({ name }) => name)],
    ['MUM', ['Mum']],
    ['koln', ['Dr Weber, Köln']],
    ['köln web', ['Dr Weber, Köln']],
    ['  rao ', ['Anjali Rao']],
    ["o'brien", ['Seán O’Brien']],
    ['sean', ['Seán O’Brien']],
    ['محم', ['محمد']],
    ['\u202e', people.map(({ name }) => name)],
    ['nobody', []],
  ])('for %j finds %j', (query, names) => {
    expect(found(query)).toEqual(names)
  })
})

test('names stand in the order in which people sort them', () => {
  const names = ['Zoe', 'anna', 'Émile', 'Anna 10', 'Anna 2', 'eve'].map(name => ({ name }))
  expect(sortByName(names).map(({ name }) => name)).toEqual([
    'anna',
    'Anna 2',
    'Anna 10',
    'Émile',
    'eve',
    'Zoe',
  ])
})
