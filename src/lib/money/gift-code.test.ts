import { expect, test } from 'vitest'
import { renderIn, sourceLanguage } from '../i18n/language.ts'
import { formatGiftCode, giftCodeBytes, giftCodeOf, readGiftCode, redeemLink } from './gift-code.ts'

const code = giftCodeOf(Uint8Array.from({ length: giftCodeBytes }, (_, index) => index * 37))

test('a code is read however it was typed or read aloud', () => {
  expect(code).toHaveLength(20)
  expect(formatGiftCode(code)).toMatch(/^(\w{4}-){4}\w{4}$/)
  for (const typed of [
    code,
    formatGiftCode(code),
    ` ${formatGiftCode(code).toLowerCase().replaceAll('-', ' ')} `,
  ])
    expect(readGiftCode(typed)).toBe(code)
  expect(readGiftCode('oOiI-lL00-1111-AAAA-BBBB')).toBe('001111001111AAAABBBB')
  expect(readGiftCode('००११-१١00-1111-AAAA-BBBB')).toBe('001111001111AAAABBBB')
})

test.each(['', 'ABCD', `${code}0`, 'UUUU-UUUU-UUUU-UUUU-UUUU', 'ÄBCD-ABCD-ABCD-ABCD-ABCD'])(
  '%j is no code',
  text => {
    expect(readGiftCode(text)).toBeNull()
  },
)

test('the link has the code in its fragment alone', () => {
  const { pathname, search, hash } = new URL(redeemLink('https://farline.example', code))
  expect([pathname, search, hash]).toEqual(['/redeem', '', `#code=${formatGiftCode(code)}`])
})

test('the link of a Spanish page or mail leads to Spanish', () => {
  renderIn('es')
  try {
    expect(redeemLink('https://farline.example', code)).toContain('.example/es/redeem#code=')
  } finally {
    renderIn(sourceLanguage)
  }
})

test('all bits of a code come from its bytes', () => {
  expect(giftCodeOf(new Uint8Array(giftCodeBytes).fill(255))).toBe('Z'.repeat(20))
  expect(giftCodeOf(new Uint8Array(giftCodeBytes))).toBe('0'.repeat(20))
})
