import { giftFaults } from '#lib/api/gift-texts.ts'
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
import { commonFailure, failed, invalidField, type RequestFailure } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import { answers } from './gift-texts.ts'
import { namesAddress } from './names-address.ts'
import { openGiftCheckout } from './order-gift.ts'
import { type CodeRejection, lookUpGift, redeemGift } from './redeem-gift.ts'
import { listSentGifts } from './sent-gifts.ts'

const pressesPerMinute = 60

const support = company.supportEmail

export function mountGifts(mount: Mount, services: Services): void {
  const buyMessages = () => ({
    email_unverified: answers.emailUnverified,
    call_blocked: answers.restricted({ support }),
    gift_limit: answers.dailyLimit({ sum: formatBalance(services.paymentPolicy.gift.dailyMicroUsd) }),
    too_many_checkouts: answers.tooManyCheckouts,
    payments_unavailable: answers.paymentsUnavailable,
  })
  const waits: Readonly<Partial<Record<string, number>>> = { gift_limit: dayMs, too_many_checkouts: hourMs }

  mount(
    buyGift,
    async ({ userId, body: { amount: amountUsd, ...texts } }) => {
      for (const field of ['fromName', 'toName', 'message'] as const)
        if (namesAddress(texts[field])) throw invalidField(field, giftFaults.link)
      const opened = await openGiftCheckout(services, userId, { ...texts, amountUsd })
      if (opened.ok) return opened.value
      if (opened.code === 'unauthorized') throw commonFailure('unauthorized')
      throw failed(buyGift, opened.code, buyMessages()[opened.code], {}, waits[opened.code])
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
          throw failed(redeemEndpoint, rejection.code, answers.emailUnverified)
        case 'call_blocked':
          throw failed(redeemEndpoint, rejection.code, answers.restrictedCode({ support }))
        case 'gift_limit': {
          const { waitMs } = rejection.spent
          throw failed(redeemEndpoint, rejection.code, answers.redeemedMany, {}, waitMs)
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
  if (rejection.code === 'unknown_code')
    return failed(endpoint, rejection.code, answers.unknownCode({ support }))
  return failed(endpoint, rejection.code, answers.triedMany, {}, rejection.waitMs)
}
