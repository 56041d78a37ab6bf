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
          'A file at a stable address, with an ETag: ask with If-None-Match. Pages of other sites may read it.',
        mediaType: 'application/json',
        saveAs: 'rates.json',
        schema: 'PublicRates',
      }),
      ratesCsv: fileOperation({
        path: ratesCsvPath,
        auth: 'none',
        summary: 'The rates of all countries as CSV',
        description:
          'The same figures, one country and dial code a row (RFC 4180, UTF-8). Dial codes stand without the plus.',
        mediaType: 'text/csv',
        saveAs: 'rates.csv',
        schema: undefined,
      }),
      tariffCsv: fileOperation({
        path: tariffCsvPath,
        auth: 'none',
        summary: 'The whole tariff by number prefix as CSV',
        description: 'Columns prefix, iso, kind, usd_per_min. The longest prefix of a number counts.',
        mediaType: 'text/csv',
        saveAs: 'tariff.csv',
        schema: undefined,
      }),
      countryRate: operation(rates.countryRate, 'The rates of a country'),
      numberRate: operation(
        rates.numberRate,
        'The rate of one number',
        'By the longest prefix. It tells what a number costs, not whether we call it.',
      ),
    },
  },
  ...accountOperations,
  {
    id: 'calling',
    name: 'Calls',
    about: 'A call itself runs over the voice client. Here is what it needs, and what became of it.',
    operations: {
      voiceToken: operation(
        voiceToken,
        'A token for the voice client',
        'Asked for before each call. A rejection carries its code again as reason.',
      ),
      lineCheckToken: operation(
        lineCheckToken,
        'A token to check the line with',
        'For a call with the parameter Purpose=line_check, which reaches nobody and costs nothing. It takes no credits.',
      ),
      calls: operation(
        calls.calls,
        'The call history',
        'Newest first, 25 at a time. Ask for the next page with nextCursor.',
      ),
      searchCalls: operation(
        calls.searchCalls,
        'Search the call history',
        'By a part of the number or name, by time and by outcome; pages as above.',
      ),
      callTotals: operation(calls.callTotals, 'What the calls of all pages come to'),
      album: operation(
        album,
        'The countries reached',
        'The country reached last comes first, with what the calls of the year come to.',
      ),
      call: operation(calls.call, 'One call'),
      callReceipt: operation(
        calls.callReceipt,
        'The receipt of a call',
        'With each charge as it stands in our books.',
      ),
      claimCall: operation(
        claimCall,
        'Claim a bad call',
        'Refunds what it cost, within limits, at once. Sent again, it answers as the first time.',
        ['not_found'],
      ),
      callQuality: operation(
        callQuality,
        'Tell what was measured of a call',
        'While it goes on or within 10 minutes of its end. The first report stays. A call that brought no sound may be refunded.',
        ['not_found'],
      ),
      feedback: operation(
        feedback,
        'Say how a call was',
        'Sent again for the same call, it takes the place of what was sent before.',
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
        'The number decides which country it is in. Sent again with the same name it is the same contact, with the extension and the notes that came last. With favourite it is saved as one, if there is room.',
      ),
      changeContact: operation(
        contacts.changeContact,
        'Change the name or the notes of a contact',
        'What is not sent stays as it is. Empty notes remove them.',
      ),
      importContacts: operation(
        contacts.importContacts,
        'Save several contacts at once',
        'At most 20 a request. Each is saved, or the outcome in its place says why not. A number that is saved already keeps its name, so the request can be sent again.',
      ),
      markFavourite: operation(
        markFavourite,
        'Make a contact a favourite, or no longer one',
        'Favourites stand beside the phone, at most 8.',
      ),
      deleteContact: operation(contacts.deleteContact, 'Delete a contact'),
    },
  },
  {
    id: 'caller-id',
    name: 'Caller ID',
    about: 'Own numbers that may be shown to whoever is called.',
    operations: {
      verifiedCallerIds: operation(callerId.verifiedCallerIds, 'The numbers that you have verified'),
      requestVerification: operation(
        callerId.requestVerification,
        'Verify a number',
        'We ring it and ask for the code of the reply. Once it was keyed in, the number stands among the verified ones.',
      ),
      testCallToken: operation(
        testCallToken,
        'A token for a test call',
        'As before any other call, but no credits are asked for: the call is free.',
      ),
      testCall: operation(testCall, 'When the next free call to a number of your own may be'),
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
        'Answers with the address of the hosted checkout. We work out the credits ourselves and refuse another figure.',
      ),
      buyGift: operation(gifts.buyGift, 'Buy a booklet for somebody else'),
      sentGifts: operation(gifts.sentGifts, 'The booklets you sent'),
      payment: operation(payments.payment, 'How a payment stands'),
      receipt: operation(payments.receipt, 'The receipt of a payment'),
      refundOffer: operation(payments.refundOffer, 'What a refund would be now'),
      requestRefund: operation(
        payments.requestRefund,
        'Ask for a refund',
        'Of the unused part of a payment. Asked again, it answers how the first one stands.',
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
