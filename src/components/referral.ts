import { ownReferralScript } from '#lib/account/referral-script.ts'

// A referral script stores the referrer in a global (PD-9). Ours runs on pages whose URL has a query, and where people
// register or buy credits. A site owner's own script runs on every page, because only it knows its links.
const own = process.env['PUBLIC_REFERRAL_SCRIPT']
const ours = ownReferralScript.script

if (own && !/^\/(?!\/)/.test(own))
  throw new Error(`PUBLIC_REFERRAL_SCRIPT is a path on this site, such as /my-referrals.js, not ${own}`)

export const referral = {
  isOurs: !own,
  script: own || ours,
  /** Path of the global, separated by dots. */
  value: process.env['PUBLIC_REFERRAL_VALUE'] || ownReferralScript.value,
} as const

/** Inlined in every page, so kept minimal. The script itself looks for `?ref=`. */
export const referralLoader = `location.search&&import('${ours}').catch(()=>0)`
