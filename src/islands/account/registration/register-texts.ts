import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('register', {
  title: 'Register',
  description:
    'Sign up with an e-mail address and your first call abroad is free. No card needed, nothing to install.',
  heading: 'Your first call is free',
  text: 'All we need is an e-mail address. No card.',
  accept: 'By registering you accept the <terms>Terms</terms> and <privacy>Privacy Policy</privacy>.',
  haveAccount: 'Have an account? <login>Login</login>',
})
