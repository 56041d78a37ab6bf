import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('people', {
  title: 'Your people',
  loading: 'Loading your people',
  invitation: 'Save a number once. After that, one tap calls it, and you see what time it is there.',
  hint: 'Save a number, and one tap here calls it next time.',
  mum: 'Mum?',
  saveHers: "Save her number and she's one tap away",
  grandpa: 'Grandpa?',
  saveHis: "Save his number and he's one tap away",
  friend: 'A friend?',
  saveTheirs: "Save a number and they're one tap away",
  another: 'Who else?',
  saveAnother: 'Save a number',
  call: 'Call {name}',
  line: '{line, select, mobile {mobile} landline {landline} other {}}',
  lineIn: '{line, select, mobile {mobile in {place}} landline {landline in {place}} other {in {place}}}',
  talked: 'talked {day}',
  talkedOn: 'talked on {day}',
})
