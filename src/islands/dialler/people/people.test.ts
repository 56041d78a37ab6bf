import { expect, test } from 'vitest'
import type { CallRecord } from '#lib/api/calls.ts'
import type { Contact } from '#lib/api/contacts.ts'
import { choosePeople, maxPeople } from './people.ts'

const contact = (name: string, phone_number: string, favourite = false): Contact => ({
  id: name,
  ...{ name, phone_number, dial_code: '+1', iso_code: 'US', favourite },
})
const call = (to: string, answeredAt: string | null) => ({ to, answeredAt }) as CallRecord

const anna = contact('Anna', '+12125550101')
const bert = contact('Bert', '+12125550102')
const carl = contact('Carl', '+12125550103')
const mum = contact('Mum', '+12125550104', true)

test('favourites come first, then those talked to most, then by name', () => {
  const calls = [
    call(carl.phone_number, '2026-11-24T10:00:00Z'),
    call(bert.phone_number, null),
    call(carl.phone_number, '2026-11-23T10:00:00Z'),
    call(bert.phone_number, '2026-11-22T10:00:00Z'),
    call('+12125550199', '2026-11-21T10:00:00Z'),
  ]
  const people = choosePeople([anna, bert, carl, mum], calls)
  expect(people.map(({ contact: { name } }) => name)).toEqual(['Mum', 'Carl', 'Bert', 'Anna'])
  expect(people.map(({ lastTalked }) => lastTalked?.toISOString().slice(0, 10) ?? null)).toEqual([
    null,
    '2026-11-24',
    '2026-11-22',
    null,
  ])
})

test('no more than fit on a sheet', () => {
  const many = Array.from({ length: 20 }, (_, n) => contact(`No ${n}`, `+1212555${1000 + n}`))
  expect(choosePeople(many, [])).toHaveLength(maxPeople)
})
