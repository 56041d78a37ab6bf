import { album } from '../api/album.ts'
import { billing } from '../api/billing.ts'
import { claimCall } from '../api/call-credits.ts'
import { callQuality } from '../api/call-quality.ts'
import * as callerId from '../api/caller-id.ts'
import * as calls from '../api/calls.ts'
import * as contacts from '../api/contacts.ts'
import { markFavourite } from '../api/favourites.ts'
import { feedback } from '../api/feedback.ts'
import * as gifts from '../api/gifts.ts'
import { lineCheckToken } from '../api/line-check.ts'
import * as payments from '../api/payments.ts'
import { ratesCsvPath, ratesJsonPath, tariffCsvPath } from '../api/public-rates.ts'
import * as rates from '../api/rates.ts'
import { referrals } from '../api/referrals.ts'
import { site } from '../api/site.ts'
import { support } from '../api/support.ts'
import { testCall, testCallToken } from '../api/test-call.ts'
import { voiceToken } from '../api/token.ts'
import { transfers } from '../api/transfers.ts'
import { verificationStatus } from '../api/verification.ts'
import { accountOperations } from './account-operations.ts'
import { fileOperation, type OperationGroup, operation } from './operation.ts'

/** In document order. A test fails for an endpoint that is missing. */
export const operationGroups: readonly OperationGroup[] = [
  {
    id: 'rates',
    name: 'Rates',
    about: 'What a minute costs. Open to everybody, no account needed.',
    operations: {
      ratesJson: fileOperation({
        path: ratesJsonPath,
        auth: 'none',
        summary: 'The rates of all countries as JSON',
        description:
          "A file at a stable address, with an ETag for If-None-Match. Other sites' pages may read it.",
        mediaType: 'application/json',
        saveAs: 'rates.json',
        schema: 'PublicRates',
      }),
      ratesCsv: fileOperation({
        path: ratesCsvPath,
        auth: 'none',
        summary: 'The rates of all countries as CSV',
        description:
          'The same figures, one row per country and dial code (RFC 4180, UTF-8). Dial codes come without the plus.',
        mediaType: 'text/csv',
        saveAs: 'rates.csv',
        schema: undefined,
      }),
      tariffCsv: fileOperation({
        path: tariffCsvPath,
        auth: 'none',
        summary: 'The whole tariff by number prefix as CSV',
        description: 'Columns prefix, iso, kind, usd_per_min. The longest matching prefix counts.',
        mediaType: 'text/csv',
        saveAs: 'tariff.csv',
        schema: undefined,
      }),
      countryRate: operation(rates.countryRate, 'The rates of a country'),
      numberRate: operation(
        rates.numberRate,
        'The rate of one number',
        'By the longest matching prefix. Says what a number costs, not whether we call it.',
      ),
    },
  },
  ...accountOperations,
  {
    id: 'calling',
    name: 'Calls',
    about:
      'The call itself runs over the voice client. These endpoints give it what it needs, and report the outcome.',
    operations: {
      voiceToken: operation(
        voiceToken,
        'A token for the voice client',
        'Request one before each call. A rejection repeats its code as reason.',
      ),
      lineCheckToken: operation(
        lineCheckToken,
        'A token to check the line with',
        'For a call with the parameter Purpose=line_check, which reaches nobody and is free.',
      ),
      calls: operation(
        calls.calls,
        'The call history',
        'Newest first, 25 at a time. Ask for the next page with nextCursor.',
      ),
      searchCalls: operation(
        calls.searchCalls,
        'Search the call history',
        'By part of the number or name, by time and by outcome. Pages work as above.',
      ),
      callTotals: operation(calls.callTotals, 'Totals of the calls on all pages'),
      album: operation(album, 'The countries reached', 'The latest country first, with totals for the year.'),
      call: operation(calls.call, 'One call'),
      callReceipt: operation(calls.callReceipt, 'The receipt of a call', 'With each charge in our books.'),
      claimCall: operation(
        claimCall,
        'Claim a bad call',
        'Refunds its cost at once, within limits. Sent again, it gives the same response.',
        ['not_found'],
      ),
      callQuality: operation(
        callQuality,
        'Report the measurements of a call',
        'During the call or within 10 minutes of its end. Only the first report counts. A call without sound may be refunded.',
        ['not_found'],
      ),
      feedback: operation(
        feedback,
        'Say how a call was',
        'Sent again for the same call, it replaces the earlier one.',
        ['not_found'],
      ),
    },
  },
  {
    id: 'address-book',
    name: 'Contacts',
    about: 'Saved numbers, at most 500.',
    operations: {
      contacts: operation(contacts.contacts, 'All contacts, by name'),
      saveContact: operation(
        contacts.saveContact,
        'Save a number under a name',
        "The number decides the country. Sent again with the same name, it updates the extension and the notes. With favourite, it's saved as one if there's room.",
      ),
      changeContact: operation(
        contacts.changeContact,
        'Change the name or the notes of a contact',
        'What you leave out stays as it is. Empty notes remove them.',
      ),
      importContacts: operation(
        contacts.importContacts,
        'Save several contacts at once',
        'At most 20 per request. Each is saved, or its outcome says why not. A number already saved keeps its name, so you can send the request again.',
      ),
      markFavourite: operation(
        markFavourite,
        'Make a contact a favourite, or undo it',
        'Favourites are shown next to the phone, at most 8.',
      ),
      deleteContact: operation(contacts.deleteContact, 'Delete a contact'),
    },
  },
  {
    id: 'caller-id',
    name: 'Caller ID',
    about: 'Your own numbers that calls can show.',
    operations: {
      verifiedCallerIds: operation(callerId.verifiedCallerIds, 'The numbers you have verified'),
      requestVerification: operation(
        callerId.requestVerification,
        'Verify a number',
        "We ring it and ask for the code in the response. Once it's entered, the number is verified.",
      ),
      verificationStatus: operation(
        verificationStatus,
        'How your newest verification call went',
        'Also says how many verification calls you have left today, and when the next one is possible.',
      ),
      testCallToken: operation(
        testCallToken,
        'A token for a test call',
        'As for any other call, but no credits are needed: the call is free.',
      ),
      testCall: operation(testCall, 'When the next free test call is available'),
      removeCallerId: operation(callerId.removeCallerId, 'Forget a verified number'),
    },
  },
  {
    id: 'payments',
    name: 'Credits and payments',
    about: '1 credit is 1 US dollar. Money is in US dollars, exact to the millionth.',
    operations: {
      createCheckoutSession: operation(
        payments.createCheckoutSession,
        'Buy credits',
        'Returns the address of the hosted checkout. We check that the credits match the amount.',
      ),
      buyGift: operation(gifts.buyGift, 'Buy a booklet for somebody else'),
      sentGifts: operation(gifts.sentGifts, 'The booklets you sent'),
      payment: operation(payments.payment, 'The status of a payment'),
      receipt: operation(payments.receipt, 'The receipt of a payment'),
      refundOffer: operation(payments.refundOffer, 'What a refund would pay now'),
      requestRefund: operation(
        payments.requestRefund,
        'Ask for a refund',
        'For the unused part of a payment. Sent again, it returns the status of the first.',
      ),
      toggleAutoTopUp: operation(payments.toggleAutoTopUp, 'Turn auto top-up on or off'),
      billing: operation(
        billing,
        'The billing history',
        'One line for each call, purchase and refund; newest first, 25 at a time. Ask for the next page with nextCursor.',
      ),
      transfers: operation(
        transfers,
        'Every change to the balance',
        'Newest first, 25 at a time. Ask for the next page with nextCursor.',
      ),
    },
  },
  {
    id: 'more',
    name: 'Referrals, support and this installation',
    about: 'Your own link, a message to us, and what differs from one installation to another.',
    operations: {
      referrals: operation(referrals, 'Your link, and who came by it'),
      support: operation(
        support,
        'Write to support',
        'We answer by e-mail. The same message sent again from the same form gets the same reference.',
      ),
      site: operation(site, 'What differs from one installation to another'),
    },
  },
]
