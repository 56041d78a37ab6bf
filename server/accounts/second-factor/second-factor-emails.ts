import { company } from '#lib/company.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

export interface FactorChange {
  readonly what:
    | 'passkey_added'
    | 'passkey_removed'
    | 'authenticator_added'
    | 'authenticator_removed'
    | 'recovery_codes_made'
    | 'recovery_code_used'
    | 'reset'
  readonly name?: string
  readonly left?: number
  readonly at: Date
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

const subjects: Readonly<Record<FactorChange['what'], string>> = {
  passkey_added: 'A passkey was added to',
  passkey_removed: 'A passkey was removed from',
  authenticator_added: 'An authenticator app was added to',
  authenticator_removed: 'The authenticator app was removed from',
  recovery_codes_made: 'New recovery codes were made for',
  recovery_code_used: 'A recovery code signed in to',
  reset: 'We removed the second factors of',
}

export function secondFactorEmail(publicUrl: string, { what, name, left, at }: FactorChange): EmailTemplate {
  const subject = `${subjects[what]} your ${company.name} account`
  const facts = [
    ...(name === undefined ? [] : [`Passkey: ${name}`]),
    ...(left === undefined ? [] : [`Recovery codes left: ${left}`]),
    `Time: ${time.format(at)} UTC`,
  ]
  return {
    subject,
    preview: `${time.format(at)} UTC. If this was you, there is nothing to do.`,
    heading: headings[what],
    paragraphs: [explained(what), facts.join('\n'), notYou(what)],
    action:
      what === 'reset'
        ? { label: 'Log in', url: `${publicUrl}/login` }
        : { label: 'See your security settings', url: `${publicUrl}/profile#profile-security` },
    footnote: `You get this message because it is about the safety of your ${company.name} account.`,
  }
}

const headings: Readonly<Record<FactorChange['what'], string>> = {
  passkey_added: 'You have a new passkey',
  passkey_removed: 'A passkey was removed',
  authenticator_added: 'An authenticator app was added',
  authenticator_removed: 'The authenticator app was removed',
  recovery_codes_made: 'You have new recovery codes',
  recovery_code_used: 'A recovery code was used',
  reset: 'Your second factors were removed',
}

function explained(what: FactorChange['what']): string {
  switch (what) {
    case 'passkey_added':
      return 'From now on this passkey logs you in, by itself or after your password.'
    case 'passkey_removed':
      return 'It no longer logs anybody in here. You may delete it from your device too.'
    case 'authenticator_added':
      return 'From now on we ask for a code of this app when you log in.'
    case 'authenticator_removed':
      return 'We no longer ask for its codes when you log in.'
    case 'recovery_codes_made':
      return 'Those that you had before no longer work.'
    case 'recovery_code_used':
      return 'Somebody, we hope you, logged in with your password and one of your recovery codes. That code is used up.'
    case 'reset':
      return 'Our support removed your passkeys, your authenticator app and your recovery codes, since we were told that all of them are lost. Every device is signed out. Your password, or Google, alone logs you in now.'
  }
}

function notYou(what: FactorChange['what']): string {
  return what === 'reset'
    ? `You did not ask us? Choose another password at once with "Forgot password?" on the page to log in, and write to ${company.supportEmail}. If it was you, add a second factor again on your profile.`
    : `It was not you? Choose another password at once, which signs every other device out, remove what you do not know on your profile, and write to ${company.supportEmail}.`
}
