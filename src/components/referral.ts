/**
 * Who referred a visitor is said by a script, in a global (decision 9). Ours is `public/referral.js`, which runs where
 * the address has a query, and where people sign up or buy credits. An owner's own runs on every page, as it knows its links itself.
 */
const own = process.env['PUBLIC_REFERRAL_SCRIPT']
const ours = '/referral.js'

if (own && !/^\/(?!\/)/.test(own))
  throw new Error(`PUBLIC_REFERRAL_SCRIPT is a path on this site, such as /my-referrals.js, not ${own}`)

export const referral = {
  isOurs: !own,
  script: own || ours,
  /** The global, its names separated by dots. */
  value: process.env['PUBLIC_REFERRAL_VALUE'] || 'referralValue',
} as const

/** Stands in every page, and is as short as it can be: the script itself looks for `?ref=`. */
export const referralLoader = `location.search&&import('${ours}')`
