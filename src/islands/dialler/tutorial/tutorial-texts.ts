import { messages } from '#lib/i18n/messages.ts'

export const tutorialTexts = messages('tutorial', {
  progress: 'Step {at, number} of {all, number}',
  chooseCountry: 'Choose Country',
  whichCountry: 'Where is the phone you want to ring?',
  enterNumber: 'Enter Number',
  whichNumber: 'Mobile or landline, as you would dial it there.',
  makeCall: 'Make Call',
  howToCall: 'Press the green button. The first call is free.',
  selected: 'Selected:',
  number: 'Local number, without the country code',
  weWillDial: 'We will dial <number>{phone}</number>',
  tipZeros: 'Remove leading zeros',
  tipCode: 'Do not repeat the country code',
  tipMobile: 'Mobile numbers work best',
  confirmation:
    'Call now, or press Done and your number will be waiting in the dialler. Then press the green call button.',
  call: 'Call',
  back: 'Back',
  next: 'Next',
  done: 'Done',
  skip: 'Skip tutorial',
})

/** By step. */
export const titleTexts = messages('tutorial-titles', {
  welcome: 'Your first call, in three steps',
  country: 'Which country?',
  number: "What's the number?",
  confirmation: 'Ready to call',
})
