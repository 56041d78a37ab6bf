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
  recovery_codes_made: 'New recovery codes were created for',
  recovery_code_used: 'A recovery code was used to log in to',
  reset: 'We removed the second factors from',
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
    preview: `${time.format(at)} UTC. If this was you, there's nothing to do.`,
    heading: headings[what],
    paragraphs: [explained(what), facts.join('\n'), notYou(what)],
    action:
      what === 'reset'
        ? { label: 'Log in', url: `${publicUrl}/login` }
        : { label: 'See your security settings', url: `${publicUrl}/profile#profile-security` },
    footnote: `You're getting this e-mail because it's about the security of your ${company.name} account.`,
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
      return 'From now on you can log in with this passkey, on its own or after your password.'
    case 'passkey_removed':
      return 'It can no longer be used to log in here. You can delete it from your device as well.'
    case 'authenticator_added':
      return "From now on, we'll ask for a code from this app when you log in."
    case 'authenticator_removed':
      return 'We no longer ask for its codes when you log in.'
    case 'recovery_codes_made':
      return 'Your old ones no longer work.'
    case 'recovery_code_used':
      return 'Somebody, hopefully you, logged in with your password and one of your recovery codes. That code is now used up.'
    case 'reset':
      return "Our support team removed your passkeys, your authenticator app and your recovery codes, because we were told you'd lost them all. Every device is logged out. For now, you log in with just your password or Google."
  }
}

function notYou(what: FactorChange['what']): string {
  return what === 'reset'
    ? `Didn't ask us to? Change your password right away with "Forgot password?" on the login page, and write to ${company.supportEmail}. If it was you, set up a new second factor in your profile.`
    : `Wasn't you? Change your password right away, which logs out every other device. Then remove anything you don't recognise from your profile, and write to ${company.supportEmail}.`
}
