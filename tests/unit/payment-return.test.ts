import { expect, test, vi } from 'vitest'
import { greetPayment } from '#stores/payment-return.ts'
import { $toasts } from '#stores/toasts.ts'

/** Opens the page at an address; where it stands after, and what it said. */
function open(address: string) {
  $toasts.set([])
  const replaced: string[] = []
  vi.stubGlobal('window', {
    location: { href: address },
    history: { state: null, replaceState: (_: unknown, __: string, url: URL) => replaced.push(`${url}`) },
  })
  greetPayment()
  return { replaced, said: $toasts.get().map(({ type, message }) => [type, message]) }
}

test('the way back from the checkout says so and loses its parameter, and no other', () => {
  expect(open('http://localhost/call?payment=success&country=in#x')).toEqual({
    replaced: ['http://localhost/call?country=in#x'],
    said: [['success', 'Credits added successfully!']],
  })
})

test.each(['http://localhost/call', 'http://localhost/call?payment=cancelled'])(
  '%s says nothing',
  address => {
    expect(open(address)).toEqual({ replaced: [], said: [] })
  },
)
