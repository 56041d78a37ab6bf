import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Country, countries, countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { extensionShape, keepExtension } from '#lib/numbers/extension.ts'
import { parseNumber } from '#lib/numbers/phone.ts'
import { numberFault } from './number-fault.ts'
import { readWrittenNumber } from './written-number.ts'

function country(isoCode: string): Country {
  const found = countryOfIso(isoCode)
  if (found === undefined) throw new Error(`${isoCode} is not in the list`)
  return found
}

/** The number, what is played after it, and the country that shows: `+442079460958 ,123 GB`. */
function read(text: string, chosen = 'US'): string {
  const written = readWrittenNumber(text, country(chosen))
  return [written.number, written.extension, written.country.isoCode].filter(part => part !== '').join(' ')
}

describe('a number that is pasted', () => {
  test.each([
    ['+44 20 7946 0958', 'US', '+442079460958 GB'],
    ['  \u202a+44\u00a020\u20117946\u200b.0958\u202c ', 'US', '+442079460958 GB'],
    ['+44 (0)20 7946 0958', 'US', '+442079460958 GB'],
    ['0044 (0) 20/7946-0958', 'DE', '+442079460958 GB'],
    ['011 44 20 7946 0958', 'US', '+442079460958 GB'],
    ['0011 44 20 7946 0958', 'AU', '+442079460958 GB'],
    ['+39 (0)6 6982 1234', 'US', '+390669821234 IT'],
    ['+39 (0)347 123 4567', 'US', '+393471234567 IT'],
    ['+39 (0)345 123456', 'US', '+390345123456 IT'],
    ['+49 (0)30.5550-1840', 'US', '+493055501840 DE'],
    ['＋４４（２０）７９４６－０９５８', 'US', '+442079460958 GB'],
    ['+٩١ ٩٨٧٦٥ ٤٣٢١٠', 'US', '+919876543210 IN'],
    ['+۴۴ ۲۰ ۷۹۴۶ ۰۹۵۸', 'US', '+442079460958 GB'],
    ['+52 1 55 1234 5678', 'US', '+525512345678 MX'],
    ['0052 1 55 1234 5678', 'DE', '+525512345678 MX'],
    ['+44 20 7946 0958 / 0959', 'US', '+442079460958 GB'],
    ['+44 20 7946 0958/+44 20 7946 0000', 'US', '+442079460958 GB'],
    ['(212) 555-0100', 'US', '2125550100 US'],
    ['020 7946 0958', 'GB', '02079460958 GB'],
    ['+7 771 000 9998', 'US', '+77710009998 KZ'],
    ['+44 7797 123456', 'US', '+447797123456 JE'],
    ['+1 416 555 0123', 'GB', '+14165550123 CA'],
    ['+1 829 555 0123', 'US', '+18295550123 DO'],
    ['416 555 0123', 'US', '4165550123 US'],
  ])('%j, with %s chosen, is %s', (text, chosen, expected) => {
    expect(read(text, chosen)).toBe(expected)
  })

  test.each([
    ['tel:+44-20-7946-0958', '+442079460958 GB'],
    ['tel:+44-20-7946-0958;ext=123', '+442079460958 ,123 GB'],
    ['tel:7946-0958;ext=12;phone-context=+44-20', '+442079460958 ,12 GB'],
    ['TEL:020-7946-0958;phone-context=+44', '+442079460958 GB'],
    ['tel:(212)555-0100;phone-context=example.com', '2125550100 US'],
    ['tel:%2B44%2020%207946%200958%3Bext%3D9', '+442079460958 ,9 GB'],
    ['tel:+12125550100;isub=12;ext=34*5#', '+12125550100 ,34*5# US'],
    ['tel:+12125550100,,123%23', '+12125550100 ,,123# US'],
    ['TEL;TYPE=CELL;VALUE=uri:tel:+44-20-7946-0958;ext=102', '+442079460958 ,102 GB'],
    ['TEL;TYPE=work,voice:+44 20 7946 0958', '+442079460958 GB'],
  ])('%s is %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test.each([
    ['Call me at +44 20 7946 0958, please.', '+442079460958 GB'],
    ['Flat 12, 3rd floor. Phone: +44 (0)20 7946 0958 (after 5 pm)', '+442079460958 GB'],
    ['Order 2125550111, questions to +44 20 7946 0958', '+442079460958 GB'],
    ['Dr Weber\nKöln 50667\nTel. +49 221 5550 184\nFax +49 221 5550 185', '+492215550184 DE'],
    ['+44 20 7946 0958, +44 20 7946 0959', '+442079460958 GB'],
    ['212-555-0100, 212-555-0101', '2125550100 US'],
    ['2125550100,2125550101', '2125550100 US'],
    ['+44 20 7946 0958²', '+442079460958 GB'],
    ['no number at all', 'US'],
    ['', 'US'],
  ])('in %j is %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test('may spell a word of the keypad, surplus letters left out, where that makes a number', () => {
    expect(read('1-800-FLOWERS')).toBe('18003569377 US')
    expect(read('+1 800 CONTACTS')).toBe('+18002668228 US')
    expect(read('1-800-flowers')).toBe('18003569377 US')
    expect(read('212 PLEASE CALL')).toBe('212 US')
  })

  test.each([
    ['234-5678 ext 12', 'US', '2345678 ,12 US'],
    ['345-6789 cell', 'US', '3456789 US'],
    ['345-6789-cell', 'US', '3456789 US'],
    ['867-5309 Jenny', 'US', '8675309 US'],
    ['800 1234 CELL', 'US', '8001234 US'],
    ['0171 123 Handy', 'DE', '0171123 DE'],
  ])('takes no words for digits: %j, with %s chosen, is %s', (text, chosen, expected) => {
    expect(read(text, chosen)).toBe(expected)
  })

  test('may go on in the next line', () => {
    expect(read('+44\n20 7946 0958')).toBe('+442079460958 GB')
    expect(read('Tel. +44 20\r\n 7946\n0958,,12')).toBe('+442079460958 ,,12 GB')
    expect(read('+44 20 7946 0958\n212-555-0100')).toBe('+442079460958 GB')
  })

  test('that is not whole stays what it is, digits and a plus', () => {
    expect(read('+44 20 79')).toBe('+442079 US')
    expect(read('911')).toBe('911 US')
    expect(parseNumber(read('911 please').split(' ')[0] ?? '', defaultCountry).kind).toBe('emergency')
  })
})

describe('what is played after the answer', () => {
  test.each([
    ['2125550100,,123#', ',,123#'],
    ['212 555 0100;123', ',123'],
    ['2125550100p12w3', ',12,3'],
    ['212-555-0100 ext. 123', ',123'],
    ['212-555-0100 Extension 7', ',7'],
    ['212-555-0100 x123', ',123'],
    ['212-555-0100, x 123', ',123'],
    ['212-555-0100 #123', ',123'],
    ['2125550100,,123456789#', ',,123456789#'],
    ['212 555 0100, 5 pm', ''],
    ['212 555 0100 please', ''],
    ['212 555 0100,,', ''],
  ])('of %j is %j', (text, extension) => {
    expect(read(text)).toBe(['2125550100', extension, 'US'].filter(part => part !== '').join(' '))
  })

  test('is digits, star, hash and commas, at most 40 and with something to press', () => {
    expect(keepExtension('w12p３#')).toBe(',12,#')
    expect(keepExtension(',,')).toBe('')
    expect(keepExtension('1'.repeat(100))).toHaveLength(40)
    expect(keepExtension('12,,')).toBe('12')
  })

  test('is no part of the number that is refused', () => {
    const { number, extension } = readWrittenNumber('112,,1#', country('GB'))
    expect([number, extension]).toEqual(['112', ',,1#'])
    expect(parseNumber(number, country('GB')).kind).toBe('emergency')
  })
})

describe('a number that is not whole', () => {
  const fault = (typed: string, chosen = 'US') =>
    numberFault(typed, country(chosen), parseNumber(typed, country(chosen)))

  test.each([
    ['', 'US', null],
    ['2125550100', 'US', null],
    ['911', 'US', null],
    ['+999123456', 'US', null],
    ['212', 'US', 'Too short so far'],
    ['212555', 'US', 'Too short so far'],
    ['98765', 'IN', 'Too short so far'],
    ['212555010000', 'US', 'Too long for a number'],
    ['5550000000', 'IN', 'Not a number in India'],
    ['+915550000000', 'US', 'Not a number in India'],
    ['+441111111111', 'US', 'Not a number yet'],
  ])('%j, with %s chosen: %j', (typed, chosen, message) => {
    expect(fault(typed, chosen)).toBe(message)
  })
})

describe('10,000 arbitrary texts', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'0123456789+ -()*#;,.xpwt%٠١٢٣０１２'), maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          'tel:',
          ';ext=',
          ';phone-context=+44',
          '+44 20 7946 0958',
          ',,',
          '(0)',
          '12',
          '%',
          ' ',
          '\n',
        ),
      )
      .map(parts => parts.join('')),
    fc
      .tuple(
        fc.constantFrom('0', '+', '1 ', '1a', ',', ';a', '%41', '(0)', '-'),
        fc.integer({ min: 1, max: 3000 }),
      )
      .map(([text, times]) => text.repeat(times)),
  )

  test('never throw; what is found keeps its form and means the same again', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(anything, fc.constantFrom(...countries), (text, chosen) => {
        const written = readWrittenNumber(text, chosen)
        expect(written.number).toMatch(/^\+?\d*$/)
        expect(written.extension).toMatch(extensionShape)
        if (!written.complete) return
        expect(readWrittenNumber(written.number, written.country).number).toBe(written.number)
      }),
      { seed: 35, numRuns: 10_000 },
    )
  })

  test('take less than 5 ms each', () => {
    const inputs = fc.sample(fc.tuple(anything, fc.constantFrom(...countries)), { seed: 6, numRuns: 2000 })
    const slow = inputs.filter(([text, chosen]) => fastestOf3(() => readWrittenNumber(text, chosen)) >= 5)
    expect(slow.map(([text]) => text.slice(0, 80))).toStrictEqual([])
  })

  /** Milliseconds; a pause of the machine must not fail the test. */
  function fastestOf3(run: () => void): number {
    let fastest = Infinity
    for (let tries = 0; tries < 3 && fastest >= 5; tries += 1) {
      const began = performance.now()
      run()
      fastest = Math.min(fastest, performance.now() - began)
    }
    return fastest
  }
})
