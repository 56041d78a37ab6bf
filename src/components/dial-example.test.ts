import { expect, test } from 'vitest'
import { dialExample } from './dial-example.ts'

/** Parts as `kind digits`. */
function parts(isoCode: string, written: string): readonly string[] {
  return dialExample(isoCode, written).parts.map(({ kind, digits }) => `${kind} ${digits}`)
}

test.each([
  ['GB', '020 7946 0958', ['code +44', 'omit 0', 'area 20', 'rest 7946 0958']],
  ['IN', '098765 43210', ['code +91', 'omit 0', 'rest 98765 43210']],
  ['RU', '8 (495) 123-45-67', ['code +7', 'omit 8', 'area 495', 'rest 123 45 67']],
  ['HU', '06 1 234 5678', ['code +36', 'omit 06', 'area 1', 'rest 234 5678']],
  ['US', '(212) 555-0100', ['code +1', 'area 212', 'rest 555 0100']],
  ['MX', '55 1234 5678', ['code +52', 'rest 55 1234 5678']],
  ['BR', '0 21 (11) 91234-5678', ['code +55', 'omit 021', 'area 11', 'rest 91234 5678']],
])('%s %s loses its trunk prefix', (isoCode, written, expected) => {
  expect(parts(isoCode, written)).toEqual(expected)
})

test.each([
  ['IT', '02 1234 5678', ['code +39', 'area 02', 'rest 1234 5678']],
  ['CI', '07 07 12 34 56', ['code +225', 'rest 07 07 12 3456']],
])('%s keeps the zero of %s, and says so', (isoCode, written, expected) => {
  expect(parts(isoCode, written)).toEqual(expected)
  expect(dialExample(isoCode, written).parts[1]?.label).toContain('zero kept')
})

test('a mobile in Argentina gains a 9 and loses its 0 and 15', () => {
  expect(parts('AR', '011 15-2345-6789')).toEqual([
    'code +54',
    'add 9',
    'omit 0',
    'area 11',
    'omit 15',
    'rest 2345 6789',
  ])
})

test('dials the international form, digit by digit', () => {
  for (const [isoCode, written] of [
    ['GB', '020 7946 0958'],
    ['AR', '011 15-2345-6789'],
    ['IT', '02 1234 5678'],
  ] as const) {
    const example = dialExample(isoCode, written)
    const dialled = example.parts.filter(({ kind }) => kind !== 'omit').map(({ digits }) => digits)
    expect(dialled.join('').replaceAll(' ', '')).toBe(example.international.replaceAll(' ', ''))
  }
})

test.each([
  ['XX', '1234567', 'XX is no country of our list'],
  ['GB', '020 7946', 'no number that can be called in GB'],
  ['GB', '999', 'no number that can be called in GB'],
  ['GB', '+1 212 555 0100', 'a number of US, not of GB'],
])('rejects %s %s with the reason', (isoCode, written, reason) => {
  expect(() => dialExample(isoCode, written)).toThrow(reason)
})
