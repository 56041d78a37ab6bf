import { expect, test } from 'vitest'
import { emailAddress } from '#lib/account/account.ts'
import { faultOf } from '#ui/check.ts'
import { emailFault } from './email-fault.ts'

test('what is no e-mail address is called so at the login as at the sign-up', () => {
  expect(emailFault('nobody')).toBe(faultOf(emailAddress, 'nobody'))
  expect(emailFault('nobody')).toMatch(/needs an @/)
  expect(emailFault('nobody@example.com')).toBeNull()
  expect(emailFault('  ')).toBe('Enter your e-mail address.')
})
