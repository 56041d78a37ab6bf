import { company } from '#lib/company.ts'

/** Longer links are cut off by some mail programs, on Windows above all. */
const longestLink = 1800

/** The way that needs nothing of ours: the same letter by the visitor's own mail program. */
export function MailInstead({ letter }: { readonly letter: string }) {
  const link = `mailto:${company.supportEmail}?body=${encodeURIComponent(letter)}`
  if (link.length <= longestLink) {
    return (
      <p>
        Your message is still here. You can also <a href={link}>send it from your own e-mail</a>.
      </p>
    )
  }
  return (
    <p>
      Your message is still here. You can also copy it into an e-mail to{' '}
      <a href={`mailto:${company.supportEmail}`}>{company.supportEmail}</a>.
    </p>
  )
}
