import { describe, expect, test } from 'vitest'
import { compileMessage } from './compile.ts'
import { formatsOf } from './formats.ts'
import { renderIn, sourceLanguage } from './language.ts'
import { addLanguage, messages, textsIn } from './messages.ts'
import { localPath, pathIn, splitPath } from './path.ts'

const texts = messages('test', {
  plain: "We don't ring twice.",
  calls: '{count, plural, =0 {no calls} one {# call} other {# calls}} to {place}',
  line: '{kind, select, mobile {a mobile} other {a line}}',
  accept: 'Accept the <terms>Terms</terms> of {company}.',
  turn: 'your {turn, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} call',
})

addLanguage('ar', {
  test: {
    plain: 'لا نتصل مرتين.',
    calls:
      '{count, plural, =0 {لا مكالمات} zero {لا مكالمات} one {مكالمة واحدة} two {مكالمتان} few {# مكالمات} many {# مكالمة} other {# مكالمة}} إلى {place}',
    line: '{kind, select, mobile {هاتف محمول} other {خط}}',
    accept: 'اقبل <terms>شروط</terms> {company}.',
    turn: 'مكالمتك رقم {turn, selectordinal, other {#}}',
  },
})

describe('a message', () => {
  test('without placeholders is a string', () => {
    expect(texts.plain).toBe("We don't ring twice.")
  })

  test.each([
    [0, 'no calls to India'],
    [1, '1 call to India'],
    [1250, '1,250 calls to India'],
    [1.5, '1.5 calls to India'],
  ])('has the plural of %d', (count, expected) => {
    expect(texts.calls({ count, place: 'India' })).toBe(expected)
  })

  test('counts in order, and chooses by a value', () => {
    expect([1, 2, 3, 11, 22].map(turn => texts.turn({ turn }))).toEqual([
      'your 1st call',
      'your 2nd call',
      'your 3rd call',
      'your 11th call',
      'your 22nd call',
    ])
    expect([texts.line({ kind: 'mobile' }), texts.line({ kind: 'landline' })]).toEqual(['a mobile', 'a line'])
  })

  test('with a tag is a list, in which the caller makes the link', () => {
    const list = texts.accept({ company: 'Farline', terms: label => ({ label }) })
    expect(list).toEqual(['Accept the ', { label: 'Terms' }, ' of ', 'Farline', '.'])
  })

  test('follows the language of the page, or is asked for in one', () => {
    renderIn('ar')
    try {
      expect(texts.plain).toBe('لا نتصل مرتين.')
      expect([1, 2, 3, 11].map(count => texts.calls({ count, place: 'الهند' }))).toEqual([
        'مكالمة واحدة إلى \u2068الهند\u2069',
        'مكالمتان إلى \u2068الهند\u2069',
        '3 مكالمات إلى \u2068الهند\u2069',
        '11 مكالمة إلى \u2068الهند\u2069',
      ])
      expect(textsIn(texts, sourceLanguage).plain).toBe("We don't ring twice.")
    } finally {
      renderIn(sourceLanguage)
    }
    expect(texts.plain).toBe("We don't ring twice.")
    expect(textsIn(texts, 'ar').plain).toBe('لا نتصل مرتين.')
  })

  test('from right to left keeps what it is given in its own direction', () => {
    const { calls } = textsIn(texts, 'ar')
    expect(calls({ count: 3, place: '+49 30 1234' })).toBe('3 مكالمات إلى \u2068+49 30 1234\u2069')
    expect(compileMessage('من 1,250 US$', 'f', 'ar').code).toBe('"من \u20661,250 US$\u2069"')
    expect(compileMessage('نحو 2¢', 'f', 'ar').code).toBe('"نحو \u20662¢\u2069"')
    expect(compileMessage('{day}، {time}', 'f', 'ar').code).toMatch(/^a=>"\u200f"\+/)
  })

  test('that a language lacks is named', () => {
    addLanguage('xx', { test: {} })
    expect(() => textsIn(texts, 'xx').plain).toThrow('src/languages/xx/test.json has no plain')
  })
})

test.each([
  ['{count, plural, one {# call}}', 'OTHER'],
  ['{name', 'ARGUMENT'],
  ['<b>bold', 'TAG'],
  ['{at, date, short}', 'must be formatted before'],
  ['{price, number, currency}', 'must be formatted before'],
])('%s does not compile', (text, fault) => {
  expect(() => compileMessage(text, 'f', sourceLanguage)).toThrow(fault)
})

test('a message finds its formats, whatever a minifier called them', () => {
  const { code } = compileMessage('{count, plural, one {# call} other {# calls}}', 'a', sourceLanguage)
  const calls = new Function('a', `return ${code}`)(formatsOf(sourceLanguage))
  expect(calls({ count: 2 })).toBe('2 calls')
})

test('a page of another language links to pages of its own', () => {
  expect(localPath('/faq#refunds')).toBe('/faq#refunds')
  expect(['/', '/?ref=a', '/call?country=in', '/faq#refunds'].map(route => pathIn('es', route))).toEqual([
    '/es',
    '/es?ref=a',
    '/es/call?country=in',
    '/es/faq#refunds',
  ])
})

test.each([
  ['/es', 'es', '/'],
  ['/es/', 'es', '/'],
  ['/es.html', 'es', '/'],
  ['/es/faq.html', 'es', '/faq'],
  ['/pt-BR/blog/a', 'pt-BR', '/blog/a'],
  ['/', 'en', '/'],
  ['/esp/faq', 'en', '/esp/faq'],
  ['/fr/faq', 'en', '/fr/faq'],
])('the address %s is in the language %s', (pathname, language, route) => {
  expect(splitPath(pathname, ['es', 'pt-BR'])).toEqual({ language, route })
})
