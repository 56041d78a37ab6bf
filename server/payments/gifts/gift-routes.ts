import {
  buyGift,
  lookUpGift as lookUpEndpoint,
  redeemGift as redeemEndpoint,
  sentGifts,
} from '#lib/api/gifts.ts'
import { company } from '#lib/company.ts'
import { formatBalance, microUsdToUsd } from '#lib/money/money.ts'
import { dayMs, hourMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import { commonFailure, failed, type RequestFailure } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import { openGiftCheckout } from './order-gift.ts'
import { type CodeRejection, lookUpGift, redeemGift } from './redeem-gift.ts'
import { listSentGifts } from './sent-gifts.ts'

const pressesPerMinute = 60

const restricted = `Your account is restricted. Write to ${company.supportEmail}.`
const unknownCode = `This code doesn't open a booklet. Check it letter by letter. A code works once, and not after a refund. If it looks right, ask the person who sent it, or write to ${company.supportEmail}.`

export function mountGifts(mount: Mount, services: Services): void {
  const dailyUsd = formatBalance(services.paymentPolicy.gift.dailyMicroUsd)
  const rejections = {
    email_unverified: 'Confirm your e-mail address first. The link is in your inbox.',
    call_blocked: `${restricted} Nothing was charged.`,
    gift_limit: `You can send booklets worth ${dailyUsd} a day. Nothing was charged. Try again tomorrow.`,
    too_many_checkouts: "You've opened many checkouts. Wait an hour, then try again. Nothing was charged.",
    payments_unavailable: "We can't reach our payment provider. Nothing was charged. Try again in a minute.",
  } as const
  const waits: Readonly<Partial<Record<string, number>>> = { gift_limit: dayMs, too_many_checkouts: hourMs }

  mount(
    buyGift,
    async ({ userId, body: { amount: amountUsd, ...texts } }) => {
      const opened = await openGiftCheckout(services, userId, { ...texts, amountUsd })
      if (opened.ok) return opened.value
      if (opened.code === 'unauthorized') throw commonFailure('unauthorized')
      throw failed(buyGift, opened.code, rejections[opened.code], {}, waits[opened.code])
    },
    { perMinute: pressesPerMinute },
  )
  mount(sentGifts, async ({ userId }) => ({ gifts: await listSentGifts(services, userId) }))
  mount(
    lookUpEndpoint,
    async ({ userId, body, http }) => {
      const found = await lookUpGift(services, userId, body.code, http.request.ip)
      if (found.ok) {
        const { amountMicroUsd, ...names } = found.value
        return { amount: microUsdToUsd(amountMicroUsd), ...names }
      }
      throw codeFailure(lookUpEndpoint, found.rejection)
    },
    { perMinute: pressesPerMinute },
  )
  mount(
    redeemEndpoint,
    async ({ userId, body, http }) => {
      const redeemed = await redeemGift(services, userId, body.code, http.request.ip)
      if (redeemed.ok) {
        const { amountMicroUsd, balanceMicroUsd, fromName } = redeemed.value
        return { amount: microUsdToUsd(amountMicroUsd), balance: microUsdToUsd(balanceMicroUsd), fromName }
      }
      const { rejection } = redeemed
      switch (rejection.code) {
        case 'unauthorized':
          throw commonFailure('unauthorized')
        case 'email_unverified':
          throw failed(redeemEndpoint, rejection.code, rejections.email_unverified)
        case 'call_blocked':
          throw failed(redeemEndpoint, rejection.code, `${restricted} The code still works.`)
        case 'gift_limit': {
          const message = "You've redeemed many booklets. The code still works, so try again tomorrow."
          throw failed(redeemEndpoint, rejection.code, message, {}, rejection.spent.waitMs)
        }
        default:
          throw codeFailure(redeemEndpoint, rejection)
      }
    },
    { perMinute: pressesPerMinute },
  )
}

function codeFailure(
  endpoint: typeof lookUpEndpoint | typeof redeemEndpoint,
  rejection: CodeRejection,
): RequestFailure {
  if (rejection.code === 'unknown_code') return failed(endpoint, rejection.code, unknownCode)
  const message = "You've tried many codes. Wait an hour, then try again with the envelope next to you."
  return failed(endpoint, rejection.code, message, {}, rejection.waitMs)
}
