import { messages } from '#lib/i18n/messages.ts'

export const legalTexts = messages('legal', {
  lastChanged: 'Last changed <date>{day}</date>.',
  length:
    '{sections, plural, =5 {Five short sections} =6 {Six short sections} =7 {Seven short sections} =8 {Eight short sections} =9 {Nine short sections} =10 {Ten short sections} =11 {Eleven short sections} =12 {Twelve short sections} =13 {Thirteen short sections} =14 {Fourteen short sections} =15 {Fifteen short sections} =16 {Sixteen short sections} one {# short section} other {# short sections}}, about {minutes, plural, =1 {one minute} =2 {two minutes} =3 {three minutes} =4 {four minutes} =5 {five minutes} =6 {six minutes} =7 {seven minutes} =8 {eight minutes} =9 {nine minutes} =10 {ten minutes} =11 {eleven minutes} =12 {twelve minutes} =13 {thirteen minutes} =14 {fourteen minutes} =15 {fifteen minutes} =16 {sixteen minutes} one {# minute} other {# minutes}} to read.',
  prevails: 'This text is in English, and the English text is the one that counts.',
  onThisPage: 'On this page',
  moreRules: 'More rules',
  emergencyNumbers: 'Emergency numbers by country',
  country: 'Country',
  numbers: 'Numbers',
})

/** By the name of the text's file. */
export const legalTitles = messages('legal-titles', {
  terms: 'Terms & Conditions',
  privacy: 'Privacy Policy',
  refunds: 'Refunds',
  cookies: 'Cookies',
  'fair-use': 'Fair use',
  complaints: 'Complaints code',
  'emergency-calls': 'Emergency calls',
})
