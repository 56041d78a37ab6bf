import { messages } from '#lib/i18n/messages.ts'

export const limits = messages('profile-limits', {
  title: 'Spending',
  about: 'Limits you set. They apply to every call, whatever auto top-up buys.',
  loading: 'Loading your limits',
  newAccount:
    'Your account is new, so calls end after {minutes, plural, one {# minute} other {# minutes}}. To lift that, pay {amount} more. It takes {days, number} days from your first payment.',
  newAccountUntil:
    'Your account is new, so calls end after {minutes, plural, one {# minute} other {# minutes}} until {date}.',
  perCall: 'Limit per call',
  perMonth: 'Limit per month',
  none: 'No limit',
  save: 'Save limits',
  spent: 'Spent this month: {spent}, until {date}.',
  spentOf: 'Spent this month: {spent} of {limit}, until {date}.',
  aboutMonths: 'Months begin at 00:00 UTC. A lower limit applies from your next call.',
  locked: 'Locked countries',
  noneLocked: 'None. Lock the countries you never call, and no one can call them from your account.',
  more: 'and {count, number} more',
  choose: 'Choose locked countries',
  lockAll: 'Lock all',
  unlockAll: 'Unlock all',
  saveLocked: 'Save {count, number} locked',
  search: 'Search countries',
  searchPlaceholder: 'Search countries...',
  legend: "Countries you can't call from your account",
  noMatch: 'No country matches. Try its name or dial code.',
  found: '{count, plural, one {# country} other {# countries}}',
})
