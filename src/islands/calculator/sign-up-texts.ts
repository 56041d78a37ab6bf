import { messages } from '#lib/i18n/messages.ts'

/** Apart from the calculator's: the sheet loads when Call is pressed. */
export const signUp = messages('calculator-sign-up', {
  title: 'Your first call is free',
  accept:
    'By registering you accept the <terms>Terms</terms> and <privacy>Privacy Policy</privacy>. Have an account? <login>Login</login>',
})
