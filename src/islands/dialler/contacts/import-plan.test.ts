import { expect, test } from 'vitest'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import * as rules from '#shared/numbers/number-rules.ts'
import { planImport } from './import-plan.ts'

const number = (text: string, label = '') => ({ text, label })
const plan = (cards: Parameters<typeof planImport>[0], isoCode = 'US', saved: readonly string[] = []) =>
  planImport(cards, rules, countryOfIso(isoCode) ?? defaultCountry, new Set(saved))

test('a card with several numbers becomes a contact for each', () => {
  const { ready, faults } = plan([
    {
      name: ' Mum\u202e ',
      numbers: [number('+91 98765 43210', 'mobile'), number('+91-22-2345-6789', 'home')],
      notes: ' Evenings. ',
    },
    { name: 'Rose', numbers: [number('(212) 555-0142', 'work')], notes: '' },
  ])
  expect(faults).toEqual([])
  expect(ready.map(({ name, e164, notes }) => [name, e164, notes])).toEqual([
    ['Mum (mobile)', '+919876543210', 'Evenings.'],
    ['Mum (home)', '+912223456789', 'Evenings.'],
    ['Rose', '+12125550142', ''],
  ])
})

test('numbers without a country code are read in the chosen country', () => {
  const cards = [{ name: 'Zoë', numbers: [number('020 7946 0958')], notes: '' }]
  expect(plan(cards, 'GB').ready[0]?.e164).toBe('+442079460958')
  expect(plan(cards, 'DE').ready).toEqual([])
})

test('what is saved already and what comes twice is skipped', () => {
  const cards = [
    { name: 'Mum', numbers: [number('+919876543210')], notes: '' },
    { name: 'Rose', numbers: [number('+1 212 555 0142'), number('2125550142')], notes: '' },
  ]
  const { ready, skipped } = plan(cards, 'US', ['+919876543210'])
  expect([ready.map(({ name }) => name), skipped]).toEqual([['Rose'], 2])
})

test('says of each card why it is left out', () => {
  const { ready, faults } = plan([
    { name: 'Nobody', numbers: [], notes: '' },
    { name: '', numbers: [], notes: '' },
    { name: 'Hotline', numbers: [number('+44 909 879 0000')], notes: '' },
    { name: 'Police', numbers: [number('911')], notes: '' },
    { name: 'Half', numbers: [number('21255')], notes: '' },
  ])
  expect(ready).toEqual([])
  expect(faults.map(({ of }) => of)).toEqual([
    'Nobody',
    'A card without a name',
    'Hotline, +44 909 879 0000',
    'Police, 911',
    'Half, 21255',
  ])
  expect(faults[2]?.message).toBe("We don't call premium-rate numbers.")
})

test('keeps the extension, names nameless cards by their number, and fits the limits', () => {
  const { ready } = plan([
    { name: '', numbers: [number('+919876543210,,123#')], notes: 'x'.repeat(600) },
    { name: `${'x'.repeat(99)}👵`, numbers: [number('+442079460958')], notes: '' },
  ])
  expect(ready.map(({ name, extension, notes }) => [name, extension, notes.length])).toEqual([
    ['+91 98765 43210', ',,123#', 500],
    ['x'.repeat(99), '', 0],
  ])
})
