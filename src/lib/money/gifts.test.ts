import { expect, test } from 'vitest'
import { hasLink } from './gifts.ts'

test.each([
  'https://evil.example/x',
  'evil.page',
  'Evil。page',
  'ｅｖｉｌ．ｐａｇｅ',
  'evil․page',
  'www。evil',
  'go to 1.2.3.4/x',
  '１.２.３.４',
  '／／evil',
  'write to ana@evil.example',
  'xn--e1afmkfd',
  '\\\\server',
])('%s reads as an address', text => {
  expect(hasLink(text)).toBe(true)
})

test.each([
  'So that you can call me on Sundays.',
  'Call at 12.30, it costs $2.50 or less.',
  'Dr. Ana M. Berg, e.g. your aunt… and/or her son',
  '@Mum: love',
  '妈妈。星期天给我打电话。',
  'अम्मा, रविवार को फ़ोन करना।',
])('%s does not', text => {
  expect(hasLink(text)).toBe(false)
})
