import { expect, test } from 'vitest'
import { company } from '#lib/company.ts'
import { weakPasswordMessage } from '#server/identity/weak-password.ts'

const message =
  "That password is easy to guess. Choose another, such as four words that don't belong together."

test.each([
  ['common ones', ['88888888', '987654321', 'PassWord1', 'iloveyou', 'smokey42', ' 12345678 ']],
  ['common ones with something around', ['password2026!', 'P@ssw0rd!!', '!!Football99', 'Sunsh1ne#2026']],
  [
    'short common words with something around',
    ['Qwerty2026!', 'Welcome2026!', 'Dragon2026!', '!!Monkey99', 'L0ve-2026', 'Horse 01.02.1998!'],
  ],
  ['one character', ['aaaaaaaa', '99999999999', '        ', '........', 'ääääääää']],
  ['hardly more', ['aaaabbbb', '1212121212', '1000000001', 'a       b', 'aaabbbccc']],
  ['repetitions', ['abcabcabc', 'xyz9xyz9xyz9', 'horse horse', 'qpqrqpqrqp', 'tango5tango5']],
  ['sequences', ['abcdefgh', 'hgfedcba', 'zyxwvuts', '23456789', 'abcd1234', 'aaaa1234bbb', 'абвгдежз']],
  [
    'walks over a keyboard',
    ['qwertyuiop', 'poiuytrewq', 'asdfghjkl', 'qwer1234', 'Asdf!@#$', '1qaz2wsx3edc', 'azertyuiop'],
  ],
  ['our own name', ['farline1', 'farline2026', 'Farline!2026', 'myfarline', 'F4rl1ne2026', 'farline-app']],
  [
    'seasons and months',
    ['Summer2026!', 'winter26!!', 'Autumn-2025', 'january1999', 'Summ3r2026', 'May!!2026'],
  ],
  [
    'the own address',
    [
      'ada.lovelace@example.com',
      ' Ada.Lovelace@Example.com ',
      'ada.lovelace',
      'AdaLovelace1815!',
      'lovelace-ada.lovelace'.slice(9),
    ],
  ],
])('easily guessed: %s', (_what, passwords) => {
  for (const password of passwords)
    expect([password, weakPasswordMessage(password, 'Ada.Lovelace@example.com')]).toEqual([password, message])
})

test.each([
  'correct horse battery',
  'correct horse battery staple',
  'dragon-lamp-river-42',
  'dragon lamp',
  'horse 7391 5582 0147 66',
  'an even longer horse',
  'farline-7-harbour',
  '12345678 and a half',
  'þetta er lykilorð',
  'summer breeze in may',
  'abcd+7Qz',
  'x9Kp4567Lm2q',
  'tr0ub4dor&3',
  'ада любила счёт',
  '天地玄黄宇宙洪荒',
])('%s is not', password => {
  expect(weakPasswordMessage(password, 'ada.lovelace@example.com')).toBeUndefined()
})

test('whose address it is matters', () => {
  expect(weakPasswordMessage('AdaLovelace1815!', 'grace@example.com')).toBeUndefined()
  expect(weakPasswordMessage('ben and jerry', 'ben@example.com')).toBeUndefined()
  expect(weakPasswordMessage('xq-4417-zebra', 'xq@example.com')).toBeUndefined()
})

test('the name is the company’s, whatever that is', () => {
  expect(weakPasswordMessage(`${company.name}${company.name}1`, 'ada@example.com')).toBe(message)
})
