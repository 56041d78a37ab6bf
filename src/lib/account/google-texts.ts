import { messages } from '../i18n/messages.ts'

export const googleProblems = messages('google-problems', {
  google_denied: 'You stopped at Google, so nothing was changed. Continue with Google, or use your e-mail.',
  google_expired:
    'That took longer than 10 minutes, or was started in another browser. Please press Continue with Google again.',
  google_failed: "We couldn't use Google's answer. Please press Continue with Google again.",
  google_unreachable: "Google isn't answering right now. Try again in a minute, or use your e-mail.",
  google_unverified:
    "Google hasn't confirmed that account's e-mail address. Confirm it there first, or register with your e-mail here.",
  google_connect:
    'There is already an account with that e-mail address. Log in with its password once, or choose one with “Forgot password?”: from then on, Google opens it too.',
  google_busy: 'Too many attempts. Wait a minute and try again.',
  google_unavailable: "You can't log in with Google here. Please use your e-mail.",
  internal: 'Something went wrong on our side. Please try again.',
})

export const googleNotices = messages('google-notices', {
  not_proved:
    "Google didn't ask you to log in again, so we can't be sure it's you. Log out at Google first, or choose a password with “Forgot password?” on our login page: we'll ask for that instead.",
  linked: 'From now on, you can log in with Google to the account you already had here.',
  set_aside:
    'Somebody had started to register with your e-mail address and never confirmed it. We removed that: this account is new and yours alone. Our e-mail to you has the details.',
})
