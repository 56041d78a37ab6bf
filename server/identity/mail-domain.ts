import { getDomain } from 'tldts-icann'

/**
 * Where anybody gets a mailbox and the provider bounds how many: the large providers of the countries that our callers live in and
 * call. The names before the ending are listed where a provider has many endings.
 */
const largeProviders = new Set([
  ...[
    'aol',
    'gmail',
    'gmx',
    'googlemail',
    'hotmail',
    'live',
    'mail',
    'msn',
    'outlook',
    'yahoo',
    'yandex',
    'ymail',
  ],
  ...[
    'icloud.com',
    'mac.com',
    'me.com',
    'pm.me',
    'proton.me',
    'protonmail.com',
    'protonmail.ch',
    'tutanota.com',
    'tuta.com',
  ],
  ...['fastmail.com', 'hey.com', 'mailbox.org', 'posteo.de', 'rocketmail.com', 'myyahoo.com', 'zohomail.com'],
  ...[
    'att.net',
    'bellsouth.net',
    'comcast.net',
    'cox.net',
    'sbcglobal.net',
    'verizon.net',
    'rogers.com',
    'shaw.ca',
    'telus.net',
  ],
  ...['btinternet.com', 'sky.com', 'virginmedia.com', 'bigpond.com', 'xtra.co.nz', 'telkomsa.net'],
  ...['freenet.de', 'online.de', 't-online.de', 'web.de', 'bluewin.ch', 'aon.at'],
  ...[
    'free.fr',
    'laposte.net',
    'orange.fr',
    'sfr.fr',
    'wanadoo.fr',
    'skynet.be',
    'telenet.be',
    'ziggo.nl',
    'kpnmail.nl',
  ],
  ...['libero.it', 'tiscali.it', 'virgilio.it', 'telefonica.net', 'sapo.pt'],
  ...['interia.pl', 'o2.pl', 'onet.pl', 'op.pl', 'wp.pl', 'seznam.cz', 'centrum.cz', 'abv.bg', 'freemail.hu'],
  ...['bk.ru', 'inbox.ru', 'list.ru', 'rambler.ru', 'ya.ru', 'i.ua', 'meta.ua', 'ukr.net', 'inbox.lv'],
  ...['bol.com.br', 'terra.com.br', 'uol.com.br', 'ig.com.br', 'prodigy.net.mx'],
  ...[
    'rediffmail.com',
    '126.com',
    '139.com',
    '163.com',
    '189.cn',
    'aliyun.com',
    'foxmail.com',
    'qq.com',
    'sina.com',
    'yeah.net',
  ],
  ...['daum.net', 'hanmail.net', 'naver.com', 'docomo.ne.jp', 'ezweb.ne.jp', 'softbank.ne.jp'],
])

/**
 * The domain that somebody registered to have such an address, by the Public Suffix List: whoever owns one has mailboxes without
 * bound, also in its subdomains. Null for large mail providers, and for what is no domain.
 */
export function mailDomainOf(email: string): string | null {
  const domain = getDomain(email.trim().toLowerCase().split('@').at(-1) ?? '', { validateHostname: true })
  if (domain === null || largeProviders.has(domain)) return null
  return largeProviders.has(domain.slice(0, domain.indexOf('.'))) ? null : domain
}
