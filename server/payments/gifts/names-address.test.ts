import { expect, test } from 'vitest'
import { namesAddress } from './names-address.ts'

test.each([
  'see bit.ly/x',
  'Evil.Page',
  'evil。page',
  'ｅｖｉｌ．ｐａｇｅ',
  'evil․world',
  'пример.рф',
  'उदाहरण.भारत',
  'हिन्दी.भारत',
  'i❤️.ws',
  '💌.to/x',
  'gmx.world.',
  'Mum.Call me',
  'https://a.example',
])('%s names an address', text => {
  expect(namesAddress(text)).toBe(true)
})

test.each([
  'S.Kumar',
  'Ma.Teresa',
  'P.K.Sharma and J.Smith',
  'Dr.Rao',
  'St.Clair',
  'Grüße.Oma',
  'at 5.30 p.m.',
  '妈妈。星期天给我打电话。',
  'अम्मा, रविवार को फ़ोन करना।',
])('%s does not', text => {
  expect(namesAddress(text)).toBe(false)
})
