import { describe, expect, test } from 'vitest'
import { searchContacts, sortByName } from './contacts.ts'

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

test('lists names in the order in which people sort them', () => {
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
