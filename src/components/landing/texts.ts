import { messages } from '#lib/i18n/messages.ts'

export const landing = messages('landing', {
  title: '{company}: call abroad from your browser',
  description:
    'Call mobiles and landlines in 150+ countries from your browser. No download, no subscription, from about 2¢ a minute. First call free.',
  service: '{company} calls abroad',

  headline: 'Call home for less than a stamp.',
  lede: 'Ring any mobile or landline in 150+ countries from your browser. No download, no subscription, from about 2¢ a minute.',
  allRates: 'See all rates',
  basis:
    'A {minutes, number}-minute call to a mobile in the ten countries below costs {lowest} to {highest}.',

  firstFree: 'First call free',
  firstFreeLimit: 'Up to {minutes, plural, one {# minute} other {# minutes}} and {worth}',
  countries: '150+ countries',
  mobilesAndLandlines: 'Mobiles and landlines',
  neverExpire: 'Credits never expire',
  noMonthlyFee: 'And no monthly fee',
  moneyBack: '7-day money back',
  onUnused: "On credits you haven't used",

  popular: 'Popular destinations',
  allDestinations: 'All destinations',

  features: 'A proper phone call, without the phone bill',
  returnAddress: 'Your number is the return address',
  returnAddressText:
    "Verify your own number once and your calls can show it, so people know who's calling and can call back. It's free. Some networks hide or replace numbers on calls from abroad.",
  browser: 'Opens in your browser',
  browserText: 'Laptop, tablet or phone. Nothing to download or keep updated.',
  prepaid: 'Pay as you talk',
  prepaidText: 'Prepaid credits in US dollars. No subscription, nothing to cancel.',
  neverExpireText: 'Top up today, call in a year. What you bought stays yours.',
  moneyBackText: 'Changed your mind? Unused credits are refundable for seven days.',
  menus: 'Gets through the menus',
  menusText: 'Use the keypad during a call for banks, clinics and offices.',
  referral: 'Referral programme',
  referralText: "Share your link with people you know. It's on your Referrals page, or ask support.",

  how: 'How It Works',
  signUp: 'Sign up with your e-mail',
  signUpText: 'Choose a password and follow the link we send. No card needed.',
  firstCall: 'Make your first call',
  firstCallText:
    'Instant credit: the first one is on us, up to {minutes, plural, one {# minute} other {# minutes}} and {worth}.',
  topUp: 'Top up later',
  topUpText: 'From $5, only when you want to talk more.',
  watch: 'Watch how it works',
  film: 'How {company} works',
  filmFailed: "The film didn't load. Try again",

  booklets: 'Top up like a book of stamps',
  bookletsText:
    'Use them at your own pace. Minutes are estimates at {cents}¢ a minute; more expensive destinations get you fewer.',
  otherAmounts: 'Other amounts',
  companyCredits: '{company} credits',
  aboutMinutes: 'about {minutes, plural, one {# minute} other {# minutes}}',
  bonus: '+{minutes, plural, one {# minute} other {# minutes}} free!',
  buy: 'Buy {amount} of credits',

  comparison: 'Up to 50x cheaper than the usual way',
  comparisonText:
    'Our 2¢ a minute to the United States, compared with the $1.00 that some phone operators charged for a call abroad outside a plan in November 2026. Check what your operator charges.',
  operator: 'Phone operator',
  app: 'Subscrip\u00adtion app',
  price: 'Price per minute',
  priceOurs: 'From about 2¢',
  priceOperator: 'Varies; $1 or more with some',
  priceApp: 'Bundled in a plan',
  fee: 'Monthly fee',
  feeOurs: 'None',
  feeOperator: 'Usually line rental or a plan',
  feeApp: 'Every month',
  install: 'What you install',
  installOurs: 'Nothing',
  installOperator: 'Nothing',
  installApp: 'Its app, often at both ends',
  reach: 'Landlines and any mobile',
  reachOurs: 'Yes, 150+ countries',
  reachOperator: 'Yes',
  reachApp: 'Extra, where offered',
  number: 'Your own number shown',
  numberOurs: 'Free, if networks allow',
  numberOperator: 'Yes',
  numberApp: 'With some',
  unused: 'Unused credit',
  unusedOurs: 'Never expires',
  unusedOperator: 'Billed later, or may expire',
  unusedApp: 'Often lost each month',

  questions: 'Before you dial',
  questionsText:
    "Something else on your mind? <support>Write to us</support> in London and we'll answer by e-mail.",
  allQuestions: 'All questions',

  closing: 'Someone is waiting to hear from you.',
  freeCall: 'Make your free call',
  startCalling: 'Start Calling',
  noCard: 'Sign up with an e-mail address. No card needed.',

  signUpBar: 'Sign up',
  signUpFree: 'Sign up and get a FREE call',
  buyCredits: 'Buy Credits',
  signUpButton: 'Sign Up',
})
