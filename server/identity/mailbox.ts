/** What a provider delivers to one mailbox, beside what follows a plus. */
interface Provider {
  readonly domains: RegExp
  /** The domains whose same names are one mailbox have one domain here; null: each of its domains has mailboxes of its own. */
  readonly domain: string | null
  readonly local: (local: string) => string
}

const asItIs = (local: string) => local

/**
 * Sources: Google (support.google.com/mail/answer/7436150), Proton (proton.me/support/addresses-and-aliases; its client drops dots,
 * hyphens and underscores), Apple (support.apple.com/102529), Yahoo (help.yahoo.com, SLN28815: a base name, a hyphen, a keyword),
 * Yandex (yandex.com/support/mail: one login on all domains, dots and hyphens alike).
 */
const providers: readonly Provider[] = [
  { domains: /^(gmail|googlemail)\.com$/, domain: 'gmail.com', local: local => local.replaceAll('.', '') },
  {
    domains: /^(proton\.me|protonmail\.(com|ch)|pm\.me)$/,
    domain: 'proton.me',
    local: local => local.replace(/[._-]/g, ''),
  },
  { domains: /^(icloud|me|mac)\.com$/, domain: 'icloud.com', local: asItIs },
  {
    domains: /^(yandex\.(ru|com|by|kz|ua|uz|ee|lt|lv|md|fr|com\.(am|ge|tr)|co\.il)|ya\.ru|narod\.ru)$/,
    domain: 'yandex.ru',
    local: local => local.replaceAll('.', '-'),
  },
  {
    domains: /^(yahoo\.(co\.)?[a-z.]+|ymail\.com|rocketmail\.com|myyahoo\.com)$/,
    domain: null,
    local: local => local.replace(/(?<=.)-.*$/, ''),
  },
]

/**
 * Fastmail also delivers `anything@name.domain` to `name@domain` (fastmail.help, 360060591053). These are its best known domains;
 * those of its customers are bounded as domains.
 */
const fastmail =
  /^(?<name>[^.]+)\.(?<domain>fastmail\.(com|fm|net|org|to|us|cn|uk|co\.uk|com\.au|de|es|fr|im|in|is|jp|mx|nl|se|tw)|sent\.com|mailbolt\.com|messagingengine\.com)$/

/** Identifies mailboxes for counting people. Never send to it: other servers may treat `+suffix` as another mailbox. */
export function normaliseMailbox(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const subdomain = fastmail.exec(domain)?.groups
  if (subdomain !== undefined) return `${subdomain['name']}@${subdomain['domain']}`
  const local = address.slice(0, Math.max(at, 0)).replace(/(?<=.)\+.*$/, '')
  const provider = providers.find(({ domains }) => domains.test(domain))
  return provider === undefined
    ? `${local}@${domain}`
    : `${provider.local(local)}@${provider.domain ?? domain}`
}
