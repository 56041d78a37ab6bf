import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitLinks } from './links.ts'

test('finds an address in a sentence and leaves the full stop to the sentence', () => {
  expect(splitLinks('Open http://localhost:4321/verify-email?token=a-b_c. Thanks.')).toEqual([
    { text: 'Open ', isLink: false },
    { text: 'http://localhost:4321/verify-email?token=a-b_c', isLink: true },
    { text: '. Thanks.', isLink: false },
  ])
})

test('sees no link in other schemes', () => {
  expect(splitLinks('javascript:alert(1) mailto:a@b.example')).toEqual([
    { text: 'javascript:alert(1) mailto:a@b.example', isLink: false },
  ])
})

test('loses and changes nothing', () => {
  const text = fc.array(fc.constantFrom('http://', 'https://a.b/c', '.', ')', ' ', '\n', 'word', '<', '"'))
  fc.assert(
    fc.property(text, pieces => {
      const whole = pieces.join('')
      expect(
        splitLinks(whole)
          .map(piece => piece.text)
          .join(''),
      ).toBe(whole)
    }),
  )
})
