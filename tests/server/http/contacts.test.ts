import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxContacts } from '#server/services/contacts.ts'
import { createWeb, type Web } from '#support/web.ts'

let web: Web
beforeAll(async () => {
  web = await createWeb()
})
afterAll(async () => {
  await web.close()
})

const london = { phone_number: '+442079460958', dial_code: '+44', iso_code: 'GB' }
const delhi = { phone_number: '+919876543210', dial_code: '+91', iso_code: 'IN' }

let people = 0
/** A signed-in person, who writes from an address of their own. */
async function newPerson() {
  people += 1
  const remoteAddress = `198.51.100.${people}`
  const { token, userId } = await web.signUp(`book-${people}@example.com`)
  const headers = { authorization: `Bearer ${token}` }
  return {
    userId,
    list: () => web.app.inject({ url: '/api/contacts', headers, remoteAddress }),
    save: (payload: object) =>
      web.app.inject({ method: 'POST', url: '/api/contacts', headers, payload, remoteAddress }),
    remove: (id: string) =>
      web.app.inject({ method: 'DELETE', url: `/api/contacts/${id}`, headers, remoteAddress }),
  }
}

/** A refusal as specification section 7 has it: the message in `errors`, and our own shape beside it. */
function expectRefusal(answer: Awaited<ReturnType<typeof web.app.inject>>, code: string, message: string) {
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ error: { code, message }, errors: [{ message }] })
}

describe('contacts', () => {
  test('are saved, listed by name as a bare array, and deleted', async () => {
    const anna = await newPerson()
    expect((await anna.list()).json()).toEqual([])
    const mum = await anna.save({ ...london, name: '  Mum ' })
    expect(mum.statusCode).toBe(201)
    expect(mum.json()).toEqual({ id: expect.any(String), name: 'Mum', ...london })
    const anjali = await anna.save({ ...delhi, name: 'anjali' })
    expect((await anna.list()).json()).toEqual([anjali.json(), mum.json()])

    const deleted = await anna.remove(mum.json().id)
    expect(deleted.statusCode).toBe(204)
    expect(deleted.body).toBe('')
    expect((await anna.list()).json()).toEqual([anjali.json()])
    expect((await anna.remove(mum.json().id)).statusCode).toBe(404)
  })

  test('belong to the country of their number, in E.164, whatever is sent beside it', async () => {
    const anna = await newPerson()
    const national = await anna.save({ name: 'A', ...london, phone_number: '020 7946 0958' })
    expect(national.json()).toMatchObject(london)
    const elsewhere = await anna.save({ name: 'B', ...delhi, phone_number: '+18095550123' })
    expect(elsewhere.json()).toMatchObject({ dial_code: '+1809', iso_code: 'DO' })
  })

  test('the same name and number again are the same contact; another name is refused', async () => {
    const anna = await newPerson()
    const answers = await Promise.all([1, 2, 3].map(() => anna.save({ ...london, name: 'Mum' })))
    expect(answers.map(answer => answer.statusCode)).toEqual([201, 201, 201])
    expect(new Set(answers.map(answer => answer.json().id)).size).toBe(1)
    const message = 'This number is already saved as \u2068Mum\u2069.'
    expectRefusal(await anna.save({ ...london, name: 'Mother' }), 'already_saved', message)
    expect((await anna.list()).json()).toHaveLength(1)
  })

  test('are refused without a name, with one too long, and for a number that is not called', async () => {
    const anna = await newPerson()
    const nameless = 'Enter a name for this contact.'
    for (const name of ['', ' \t\n', '\u200d', '\u202e\u2066', '\u0301'])
      expectRefusal(await anna.save({ ...london, name }), 'invalid_request', nameless)
    const long = 'Use at most 100 characters for the name.'
    expectRefusal(await anna.save({ ...london, name: 'x'.repeat(101) }), 'invalid_request', long)
    for (const [phone_number, message] of [
      ['+44207', 'Unrecognised number. Please check the number and try again.'],
      ['', 'Enter a phone number.'],
      ['+88212345678', 'This destination is currently not supported.'],
    ] as const) {
      expectRefusal(await anna.save({ ...london, name: 'Mum', phone_number }), 'number_refused', message)
    }
    for (const wrong of [{ iso_code: 'gbr' }, { dial_code: '44' }, { name: 7 }, { phone_number: null }])
      expect((await anna.save({ ...london, name: 'Mum', ...wrong })).statusCode).toBe(400)
    expect((await anna.list()).json()).toEqual([])
  })

  test('keep names of every script whole, without marks that turn the page around', async () => {
    const anna = await newPerson()
    const family = '👨‍👩‍👧 خانواده'
    const saved = await anna.save({ ...london, name: `\u202e${family}\r\n(می‌خواهم)\ud83d` })
    expect(saved.json().name).toBe(`${family} (می‌خواهم)\ufffd`)
    expect((await anna.list()).json()).toEqual([saved.json()])
    const longest = await anna.save({ ...delhi, name: '漢'.repeat(100) })
    expect(longest.statusCode).toBe(201)
  })

  test("somebody else's are neither seen nor deleted, and need a session", async () => {
    const [anna, boris] = [await newPerson(), await newPerson()]
    const saved = await anna.save({ ...london, name: 'Mum' })
    expect((await boris.list()).json()).toEqual([])
    expect((await boris.remove(saved.json().id)).statusCode).toBe(404)
    expect((await boris.remove('not-an-id')).statusCode).toBe(404)
    expect((await boris.save({ ...london, name: 'Mum' })).statusCode).toBe(201)
    expect((await anna.list()).json()).toEqual([saved.json()])
    for (const request of [
      { method: 'GET', url: '/api/contacts' },
      { method: 'POST', url: '/api/contacts', payload: { ...london, name: 'Mum' } },
      { method: 'DELETE', url: `/api/contacts/${saved.json().id}` },
    ] as const)
      expect((await web.app.inject(request)).statusCode).toBe(401)
  })

  test('are as many as fit and no more, also when two arrive at once', async () => {
    const anna = await newPerson()
    await web.db.query(
      `insert into contact (id, user_id, name, phone_number, dial_code, iso_code, created_at)
       select gen_random_uuid(), $1, 'Somebody', '+4479111' || (10000 + n), '+44', 'GB', $3
       from generate_series(1, $2::int) n`,
      [anna.userId, maxContacts - 1, web.clock.now()],
    )
    const answers = await Promise.all([
      anna.save({ ...london, name: 'Mum' }),
      anna.save({ ...delhi, name: 'Anjali' }),
    ])
    expect(answers.map(answer => answer.statusCode).sort()).toEqual([201, 400])
    const refused = answers.find(answer => answer.statusCode === 400)
    expect(refused?.json().error.code).toBe('too_many_contacts')
    expect((await anna.list()).json()).toHaveLength(maxContacts)
  })
})
