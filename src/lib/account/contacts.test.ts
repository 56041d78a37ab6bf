import { describe, expect, test } from 'vitest'
import { renderIn, sourceLanguage } from '../i18n/language.ts'
import { searchContacts, sortByName } from './contacts.ts'

const people = ['Anjali Rao', 'Dr Weber, Köln', 'Łukasz', 'Mum', 'Seán O’Brien', 'محمد'].map((name, n) => ({
  name,
  phone_number: `+4420794609${50 + n}`,
}))
const found = (query: string) => searchContacts(people, query).map(({ name }) => name)

describe('the search', () => {
  test.each([
    ['', people.map(({ name }) => name)],
    ['MUM', ['Mum']],
    ['koln', ['Dr Weber, Köln']],
    ['lukasz', ['Łukasz']],
    ['مُحَمَّد', ['محمد']],
    ["sean o'brien", ['Seán O’Brien']],
    ['köln web', ['Dr Weber, Köln']],
    ['  rao ', ['Anjali Rao']],
    ["o'brien", ['Seán O’Brien']],
    ['sean', ['Seán O’Brien']],
    ['محم', ['محمد']],
    ['\u202e', people.map(({ name }) => name)],
    ['nobody', []],
    ['+44 20 7946 0953', ['Mum']],
    ['020-7946 0953', ['Mum']],
    ['0044 (20) 79460953', ['Mum']],
    ['+44 (0)20 7946 0953', ['Mum']],
    ['(0)20 7946 0953', ['Mum']],
    ['٠٩٥٣', ['Mum']],
    ['460953', ['Mum']],
    ['Mum 0953', []],
    ['0999', []],
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

test('sorts by the order of the page’s language', () => {
  renderIn('zh-Hans')
  try {
    const names = ['王芳', '李伟', '张三', '安娜'].map(name => ({ name }))
    expect(sortByName(names).map(({ name }) => name)).toEqual(['安娜', '李伟', '王芳', '张三'])
  } finally {
    renderIn(sourceLanguage)
  }
})
