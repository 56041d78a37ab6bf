import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeCards, maxCards, readCards, writeCards } from './vcard.ts'

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')

describe('reading', () => {
  test('a card of 4.0 with several numbers, folded lines and escaped signs', () => {
    const { cards, broken, cut } = readCards(
      card(
        'VERSION:4.0',
        'FN:Weber\\, Dr. Jo',
        ' hanna',
        'item1.TEL;VALUE=uri;TYPE="voice,home":tel:+49-221-555-0184;ext=12',
        'TEL;TYPE=CELL:+49 151 23456789',
        'TEL;TYPE=work,fax:+49 221 555 0185',
        'NOTE:Rings twice.\\nAsk for\\; or not',
      ),
    )
    expect([broken, cut]).toEqual([0, false])
    expect(cards).toEqual([
      {
        name: 'Weber, Dr. Johanna',
        numbers: [
          { text: 'tel:+49-221-555-0184;ext=12', label: 'home' },
          { text: '+49 151 23456789', label: 'mobile' },
        ],
        notes: 'Rings twice.\nAsk for; or not',
      },
    ])
  })

  test('a card of 2.1 with quoted-printable text, broken with = and in its charset', () => {
    const { cards } = readCards(
      card(
        'VERSION:2.1',
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=98=D0=B2=D0=B0=D0=BD=D0=BE=',
        '=D0=B2;=D0=98=D0=B2=D0=B0=D0=BD;;;',
        'TEL;CELL:+79161234567',
      ) +
        card('N;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=FCller;J=F6rg', 'TEL;HOME;VOICE:0221 5550184'),
    )
    expect(cards.map(({ name }) => name)).toEqual(['Иван Иванов', 'Jörg Müller'])
    expect(cards[0]?.numbers).toEqual([{ text: '+79161234567', label: 'mobile' }])
  })

  test.each([
    ['FN first', ['FN:Mum', 'N:Rao;Anjali;;;', 'NICKNAME:Ammu'], 'Mum'],
    ['N in the order of speech', ['N:Rao;Anjali;Devi;Dr.;PhD'], 'Dr. Anjali Devi Rao PhD'],
    ['a nickname', ['FN: ', 'NICKNAME:Ammu'], 'Ammu'],
    ['a company', ['ORG:Clinic\\; West;Reception'], 'Clinic; West'],
    ['nothing', ['TEL:123'], ''],
  ])('the name is %s', (_, lines, name) => {
    expect(readCards(card(...lines)).cards[0]?.name).toBe(name)
  })

  test('counts cards that broke off, and reads the others', () => {
    const text = `BEGIN:VCARD\nFN:Half\n${card('FN:Whole', 'TEL:+12125550142')}END:VCARD\nBEGIN:VCARD\nFN:Last`
    const { cards, broken } = readCards(text)
    expect([cards.map(({ name }) => name), broken]).toEqual([['Whole'], 3])
  })

  test('stops after the max, and finds nothing in other files', () => {
    const many = readCards(card('FN:x').repeat(maxCards + 1))
    expect([many.cards.length, many.cut]).toEqual([maxCards, true])
    expect(readCards('name,number\nMum,123')).toEqual({ cards: [], broken: 0, cut: false })
  })

  test('skips pictures quickly', () => {
    const picture = `PHOTO;ENCODING=b:${'A'.repeat(70)}\r\n${` ${'A'.repeat(74)}\r\n`.repeat(50_000)}`
    expect(readCards(card('FN:Mum', `${picture}TEL:+12125550142`)).cards).toHaveLength(1)
  })

  // A start that does not match would be tried again from each of its characters, and its text be lost.
  test('keeps every character of a long name that ends in a backslash', () => {
    const long = 'x'.repeat(9000)
    const nameOf = (line: string) => readCards(card(line)).cards[0]?.name
    expect(nameOf(`N:${long}\\`)).toBe(`${long}\\`)
    expect(nameOf(`N:Rao\\;${long};Anjali\\`)).toBe(`Anjali\\ Rao;${long}`)
    expect(nameOf('ORG:Clinic\\')).toBe('Clinic\\')
  })

  test('never throws', () => {
    const line = fc.oneof(
      fc.constantFrom('BEGIN:VCARD', 'END:VCARD', 'TEL;TYPE=', 'FN;QUOTED-PRINTABLE:=', ' ', ':', 'N:;;\\;'),
      fc.string({ maxLength: 30 }),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), lines => void readCards(lines.join('\n'))),
      { numRuns: 60 },
    )
  })
})

test('writes what it reads again, in lines of at most 75 bytes', () => {
  const contacts = [
    {
      name: 'Mum',
      phone_number: '+919876543210',
      extension: ',,123#',
      notes: 'Rings; twice,\nthen \\ waits',
    },
    { name: `${'漢'.repeat(99)}👵`, phone_number: '+442079460958' },
  ]
  const text = writeCards(contacts)
  for (const line of text.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(readCards(text).cards).toEqual([
    {
      name: 'Mum',
      numbers: [{ text: '+919876543210,,123#', label: '' }],
      notes: 'Rings; twice,\nthen \\ waits',
    },
    { name: contacts[1]?.name, numbers: [{ text: '+442079460958', label: '' }], notes: '' },
  ])
})

test('reads the bytes of every phone: UTF-8, UTF-16 and Windows-1252', () => {
  const utf16 = new Uint8Array([0xff, 0xfe, ...new Uint8Array(new Uint16Array([0x5a, 0xf6, 0xeb]).buffer)])
  expect(decodeCards(utf16)).toBe('Zöë')
  expect(decodeCards(new TextEncoder().encode('\ufeffZöë'))).toBe('Zöë')
  expect(decodeCards(new Uint8Array([0x5a, 0xf6, 0xeb]))).toBe('Zöë')
})
