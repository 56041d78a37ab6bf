import { company } from '#lib/company.ts'

/** Some mail programs, above all on Windows, truncate longer links. */
const longestLink = 1800

/** A fallback that does not use our server: the same message in the visitor's mail program. */
export function MailInstead({ mailto }: { readonly mailto: string }) {
  const link = `mailto:${company.supportEmail}?body=${encodeURIComponent(mailto)}`
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
