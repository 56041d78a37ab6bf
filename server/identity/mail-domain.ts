import { getDomain } from 'tldts-icann'

/** Where these offer mailboxes themselves; elsewhere anybody may have registered the name. */
const endingsOf = {
  aol: 'com co.uk de fr',
  gmx: 'com net de at ch fr es us co.uk org',
  hotmail:
    'com co.jp co.kr co.th co.uk com.ar com.au com.br com.hk com.tr com.tw be ca ch cl cz de dk es fi fr gr hu it my nl no ph rs se sg',
  live: 'com co.kr co.uk co.za com.ar com.au com.mx com.my com.ph com.pt com.sg at be ca cl cn de dk fi fr hk ie in it jp nl no ru se',
  outlook:
    'com co.id co.il co.th com.ar com.au com.br com.gr com.tr com.vn at be cl cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk',
  yahoo:
    'com co.id co.in co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.cn com.co com.hk com.mx com.my com.ph com.sg com.tr ' +
    'com.tw com.vn at be ca cz de dk es fi fr gr hu ie in it nl no pl pt ro se',
  yandex: 'ru com by kz ua uz ee lt lv md fr com.am com.ge com.tr co.il',
} as const

const others = [
  'gmail.com googlemail.com msn.com ymail.com icloud.com mac.com me.com mail.com mail.de mail.ru fastmail.com hey.com zohomail.com',
  'rocketmail.com myyahoo.com pm.me proton.me protonmail.com protonmail.ch tutanota.com tuta.com mailbox.org posteo.de',
  'att.net bellsouth.net comcast.net cox.net sbcglobal.net verizon.net rogers.com shaw.ca telus.net',
  'btinternet.com sky.com virginmedia.com bigpond.com xtra.co.nz telkomsa.net',
  'freenet.de online.de t-online.de web.de bluewin.ch aon.at',
  'free.fr laposte.net orange.fr sfr.fr wanadoo.fr skynet.be telenet.be ziggo.nl kpnmail.nl',
  'libero.it tiscali.it virgilio.it telefonica.net sapo.pt',
  'interia.pl o2.pl onet.pl op.pl wp.pl seznam.cz centrum.cz abv.bg freemail.hu',
  'bk.ru inbox.ru list.ru rambler.ru ya.ru i.ua meta.ua ukr.net inbox.lv',
  'bol.com.br terra.com.br uol.com.br ig.com.br prodigy.net.mx',
  'rediffmail.com 126.com 139.com 163.com 189.cn aliyun.com foxmail.com qq.com sina.com yeah.net',
  'daum.net hanmail.net naver.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp',
]

/**
 * Where anybody gets a mailbox, and the provider bounds how many: the large providers of the countries that our callers live in
 * and call.
 */
const largeProviders: ReadonlySet<string> = new Set([
  ...Object.entries(endingsOf).flatMap(([name, endings]) => endings.split(' ').map(end => `${name}.${end}`)),
  ...others.flatMap(names => names.split(' ')),
])

/**
 * The domain that somebody registered to have such an address, by the Public Suffix List: whoever owns one has mailboxes without
 * bound, also in its subdomains. Null for large mail providers, and for what is no domain.
 */
export function mailDomainOf(email: string): string | null {
  const host = email.trim().toLowerCase().split('@').at(-1) ?? ''
  // Mail is delivered to names that no browser would look up.
  const domain = getDomain(host, { validateHostname: false }) ?? host.split('.').slice(-2).join('.')
  return !domain.includes('.') || largeProviders.has(domain) ? null : domain
}
