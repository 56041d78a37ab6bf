import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { addLanguage } from '#lib/i18n/messages.ts'
import { likelyAnswers, type ReadyAnswer } from './answers.ts'

function field(text: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? ''
}

type NamedAnswer = ReadyAnswer & { readonly name: string }

/** The questions as editors wrote them. */
const answers = answersIn('content/faq')

function answersIn(folder: string): readonly NamedAnswer[] {
  const directory = join(import.meta.dirname, '../..', folder)
  return readdirSync(directory).map(file => answerIn(join(directory, file)))
}

function answerIn(file: string): NamedAnswer {
  const text = readFileSync(file, 'utf8')
  const name = basename(file, '.md')
  return {
    name,
    question: field(text, 'question'),
    keywords: field(text, 'keywords')
      .replace(/[[\]']/g, '')
      .split(', '),
    topics: name === 'refund' || name === 'auto-top-up' ? ['payment'] : [],
  }
}

const namesFor = (message: string, topic: 'payment' | 'call' | null = null) =>
  likelyAnswers(answers, { topic, message }).map(({ name }) => name)

test.each([
  ['I was charged for a busy line', 'unanswered'],
  ["My call didn't connect", 'number-fails'],
  ['they cant hear me when I talk', 'cannot-hear-me'],
  ['They can’t HEAR me!!', 'cannot-hear-me'],
  ['I never got the verification email', 'verification-email'],
  ['I want my money back, I bought 25 dollars by mistake', 'refund'],
  ['how do i get an invite link for my friend', 'referrals'],
  ['My account is blocked, why?', 'restricted'],
  ['the sound is choppy and there is a delay', 'breaks-up'],
  ['please delete my account and all my data', 'delete-account'],
  ['I called my mother in India for 20 seconds and you took a whole minute', 'rounding'],
  ['forgot password and cannot log in', 'password'],
  ['the call was dropped after 10 minutes', 'dropped'],
  ['can I enter my PIN at the bank menu', 'menus'],
  ['Is there an app to download?', 'install'],
  ['you charged my card automatically', 'auto-top-up'],
])('“%s” is answered first by %s', (message, name) => {
  expect(namesFor(message)[0]).toBe(name)
})

test.each([
  ['es', 'Me cobraron por una línea ocupada', 'unanswered'],
  ['es', 'no me llegó el correo de verificación', 'verification-email'],
  ['es', 'Quiero que me devuelvan mi dinero', 'refund'],
  ['es', '¿Cómo borro mi cuenta?', 'delete-account'],
  ['ar', 'نسيت كلمة المرور', 'password'],
  ['ar', 'لا يسمعونني عندما أتكلم', 'cannot-hear-me'],
  ['ar', 'أريد استرداد مالي', 'refund'],
  ['ar', 'نسيت كلمه المرور', 'password'],
  ['ar', 'أريد إسـترداد مالى', 'refund'],
  ['ur', 'پيسے واپس چاہیے', 'refund'],
  ['ur', 'پاس ورڈ بھول گئی', 'password'],
  ['hi', 'मेरी कॉल बीच में कट गई', 'dropped'],
  ['hi', 'मेरी आवाज उन्हें सुनाई नहीं दे रही', 'cannot-hear-them'],
  ['hi', 'मैं पासवर्ड भूल गया', 'password'],
  ['hi', 'पैसे वापस चाहिए', 'refund'],
  ['bn', 'টাকা ফেরত চাই', 'refund'],
  ['bn', 'আমার কলটি কেটে গেছে', 'dropped'],
  ['bn', 'যাচাইয়ের ইমেইল পাইনি', 'verification-email'],
  ['bn', 'পাসওয়ার্ডটা ভুলে গেছি', 'password'],
  ['zh-Hans', '我想退款', 'refund'],
  ['zh-Hans', '我的电话打不通', 'number-fails'],
  ['zh-Hans', '忘记密码了怎么办', 'password'],
  ['zh-Hans', '对方听不见我说话', 'cannot-hear-me'],
  ['zh-Hans', '我要删除账户', 'delete-account'],
  ['pl', 'Rozmowa mi sie urwala', 'dropped'],
  ['pl', 'Chce usunac konto', 'delete-account'],
  ['uk', 'не памятаю пароль', 'password'],
])('in %s, “%s” is answered first by %s', (language, message, name) => {
  const file = join(import.meta.dirname, `../../languages/${language}/answer-search.json`)
  addLanguage(language, { 'answer-search': JSON.parse(readFileSync(file, 'utf8')) })
  renderIn(language)
  try {
    const [first] = likelyAnswers(answersIn(`languages/${language}/faq`), { topic: null, message })
    expect(first?.name).toBe(name)
  } finally {
    renderIn(sourceLanguage)
  }
})

test.each(['', '   ', 'Hello, I have a question', 'Do you sell flowers?', 'Wo ist meine Rechnung?', '語'])(
  '“%s” is answered by nothing rather than by anything',
  message => {
    expect(namesFor(message)).toEqual([])
  },
)

test('a topic suggests its answers until the message says more, which then come first', () => {
  expect(namesFor('', 'payment').sort()).toEqual(['auto-top-up', 'refund'])
  expect(namesFor('', 'call')).toEqual([])
  expect(namesFor('the sound is choppy', 'payment')[0]).toBe('breaks-up')
  expect(namesFor('I want my money back', 'payment')).toEqual(['refund', 'auto-top-up'])
})

test('at most three answers, each once, whatever is written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), message => {
      const names = namesFor(message, 'payment')
      expect(names.length).toBeLessThanOrEqual(3)
      expect(new Set(names).size).toBe(names.length)
    }),
  )
})

test('without any questions there are no answers', () => {
  expect(likelyAnswers([], { topic: 'call', message: 'hello' })).toEqual([])
})
