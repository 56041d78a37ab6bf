import type { Twilio } from 'twilio'
import { failure, success } from '#lib/result.ts'
import { uuidPattern } from '#lib/uuid.ts'
import type { Log } from '../../http/log.ts'
import type { CarrierBooks, Telephony } from '../port.ts'
import { TwilioUnavailable } from './api-client.ts'
import { ask } from './ask.ts'
import { webhookPaths } from './webhook-paths.ts'

interface CallerIdTools {
  readonly books: CarrierBooks
  readonly log: Log
  readonly publicNumbers: readonly string[]
  readonly publicUrl: string
}

export function createCallerIds(
  client: Twilio,
  { books, log, publicNumbers, publicUrl }: CallerIdTools,
): Pick<Telephony, 'verifyNumber' | 'isVerified' | 'forgetNumber'> {
  /** The vendor keeps each number once per account; the friendly name of ours is the verification's id. */
  async function namesOf(number: string) {
    const kept = await ask('list caller ids', () =>
      client.outgoingCallerIds.list({ phoneNumber: number, limit: 20 }),
    )
    return kept.value
  }

  /** Keeps numbers that the account's owner added elsewhere. @returns whether something was removed */
  async function removeCallerId(number: string): Promise<boolean> {
    if (publicNumbers.includes(number)) return false
    const ours = (await namesOf(number)).filter(({ friendlyName }) => uuidPattern.test(friendlyName))
    for (const { sid } of ours)
      await ask('remove a caller id', () => client.outgoingCallerIds(sid).remove(), 'unknown')
    return ours.length > 0
  }

  const requestCode = (verificationId: string, number: string) =>
    ask(
      'verify a number',
      () =>
        client.validationRequests.create({
          phoneNumber: number,
          friendlyName: verificationId,
          statusCallback: `${publicUrl}${webhookPaths.status}?verification=${verificationId}`,
          statusCallbackMethod: 'POST',
        }),
      'alreadyVerified',
      'invalidTo',
      'notANumber',
      'invalidNumber',
      'noRoute',
      'countryNotAllowed',
      'blocked',
    ).catch((error: unknown) => {
      if (error instanceof TwilioUnavailable && !error.surelyNotDone) return 'lost' as const
      throw error
    })

  return {
    async verifyNumber({ verificationId, number }) {
      try {
        let asked = await requestCode(verificationId, number)
        if (asked === 'alreadyVerified' && !(await books.isCallerId(number))) {
          // Left over from a user who removed it here.
          if (await removeCallerId(number)) asked = await requestCode(verificationId, number)
        }
        switch (asked) {
          case 'alreadyVerified':
            log.warn({ verificationId }, 'a number is already verified for another user')
            return failure('not_verifiable')
          case 'invalidTo':
          case 'notANumber':
          case 'invalidNumber':
            return failure('invalid_number')
          case 'noRoute':
          case 'countryNotAllowed':
          case 'blocked':
            log.warn({ verificationId, reason: asked }, 'Twilio does not call this number')
            return failure('unsupported_destination')
          case 'lost':
            return failure('lost')
          default:
            return success({ code: asked.value.validationCode })
        }
      } catch (error) {
        if (!(error instanceof TwilioUnavailable)) log.error({ err: error }, 'verifying a number failed')
        return failure('unavailable')
      }
    },

    async isVerified({ verificationId, number }) {
      return (await namesOf(number)).some(({ friendlyName }) => friendlyName === verificationId)
    },

    async forgetNumber(number) {
      try {
        await removeCallerId(number)
        return success(undefined)
      } catch (error) {
        if (!(error instanceof TwilioUnavailable)) throw error
        return failure('unavailable')
      }
    },
  }
}
