import { expect, test } from 'vitest'
import { isCommonPassword, weakPasswordWords } from '#server/identity/common-passwords.ts'

test.each(['12345678', 'password', 'PassWord1', 'QWERTYUIOP', 'iloveyou', 'P@ssw0rd'])(
  '%s is common, in whatever case',
  password => {
    expect(isCommonPassword(password)).toBe(true)
    expect(weakPasswordWords(password, 'ada@example.com')).toBe(
      'That password is among the most common ones. Choose another.',
    )
  },
)

test.each(['correct horse battery', 'farline-7-harbour', '12345678 and a half', 'þetta er lykilorð'])(
  '%s is not',
  password => {
    expect(isCommonPassword(password)).toBe(false)
    expect(weakPasswordWords(password, 'ada@example.com')).toBeUndefined()
  },
)

test.each(['ada.lovelace@example.com', ' Ada.Lovelace@Example.com ', 'ada.lovelace', 'ADA.LOVELACE'])(
  'the account’s own address is no password: %s',
  password => {
    expect(weakPasswordWords(password, 'Ada.Lovelace@example.com')).toMatch(/is your e-mail address/)
    expect(weakPasswordWords(password, 'grace@example.com')).toBeUndefined()
  },
)
