import { describe, expect, test } from 'vitest'
import { maxContacts } from '#server/contacts/contacts.ts'
import { maxFavourites } from '#server/contacts/favourites.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'

const web = keepForFile(await createWeb())

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
    mark: (id: string, favourite: unknown) =>
      web.app.inject({
        method: 'PUT',
        url: `/api/contacts/${id}/favourite`,
        headers,
        payload: { favourite },
        remoteAddress,
      }),
    change: (id: string, payload: object) =>
      web.app.inject({ method: 'PATCH', url: `/api/contacts/${id}`, headers, payload, remoteAddress }),
    bring: (contacts: readonly object[]) =>
      web.app.inject({
        method: 'POST',
        url: '/api/contacts/import',
        headers,
        payload: { contacts },
        remoteAddress,
      }),
    remove: (id: string) =>
      web.app.inject({ method: 'DELETE', url: `/api/contacts/${id}`, headers, remoteAddress }),
  }
}

/** A rejection has the message in `errors` (SPEC-7.11), and our own shape beside it (PD-44). */
function expectRejection(answer: Awaited<ReturnType<typeof web.app.inject>>, code: string, message: string) {
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ error: { code, message }, errors: [{ message }] })
}

describe('contacts', () => {
  test('are saved, listed by name as a bare array, and deleted', async () => {
    const anna = await newPerson()
    expect((await anna.list()).json()).toEqual([])
    const mum = await anna.save({ ...london, name: '  Mum ' })
    expect(mum.statusCode).toBe(201)
    expect(mum.json()).toEqual({ id: expect.any(String), name: 'Mum', ...london, favourite: false })
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

  test('the same name and number again are the same contact; another name is rejected', async () => {
    const anna = await newPerson()
    const answers = await Promise.all([1, 2, 3].map(() => anna.save({ ...london, name: 'Mum' })))
    expect(answers.map(answer => answer.statusCode)).toEqual([201, 201, 201])
    expect(new Set(answers.map(answer => answer.json().id)).size).toBe(1)
    const message = 'This number is already saved as \u2068Mum\u2069.'
    expectRejection(await anna.save({ ...london, name: 'Mother' }), 'already_saved', message)
    expect((await anna.list()).json()).toHaveLength(1)
  })

  test('keep what is played after the answer, the last report counts, and contacts without one have none', async () => {
    const anna = await newPerson()
    const office = await anna.save({ ...london, name: 'Office', extension: ',,123#' })
    expect(office.json()).toMatchObject({ extension: ',,123#' })
    // Sent again by a page that knows nothing of it.
    expect((await anna.save({ ...london, name: 'Office' })).json()).toEqual(office.json())
    const moved = await anna.save({ ...london, name: 'Office', extension: ',9' })
    expect(moved.json()).toEqual({ ...office.json(), extension: ',9' })
    expect((await anna.list()).json()).toEqual([moved.json()])
    const { extension: _, ...bare } = moved.json()
    expect((await anna.save({ ...london, name: 'Office', extension: '' })).json()).toEqual(bare)
    expect((await anna.list()).json()).toEqual([bare])
    for (const extension of ['1 2', 'w1', '１', '1'.repeat(41), 7, null])
      expect((await anna.save({ ...delhi, name: 'A', extension })).statusCode).toBe(400)
  })

  test('are rejected without a name, with one too long, and for a number that is not called', async () => {
    const anna = await newPerson()
    const nameless = 'Enter a name for this contact.'
    for (const name of ['', ' \t\n', '\u200d', '\u202e\u2066', '\u0301'])
      expectRejection(await anna.save({ ...london, name }), 'invalid_request', nameless)
    const long = 'Use at most 100 characters for the name.'
    expectRejection(await anna.save({ ...london, name: 'x'.repeat(101) }), 'invalid_request', long)
    const emergency =
      "We can't call emergency numbers, so you can't save one. In an emergency, use a phone nearby."
    for (const [phone_number, message] of [
      ['+44207', 'Unrecognised number. Please check the number and try again.'],
      ['', 'Enter a phone number.'],
      ['+88212345678', 'This destination is currently not supported.'],
      ['999', emergency],
      ['+44112', emergency],
      ['+449098790000', "We don't call premium-rate numbers, so you can't save one."],
      ['+447012345678', "We don't call personal numbers that forward calls, so you can't save one."],
    ] as const) {
      expectRejection(await anna.save({ ...london, name: 'Mum', phone_number }), 'number_refused', message)
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

  test('change their name and their notes, one without the other, and only for their owner', async () => {
    const anna = await newPerson()
    const mum = (await anna.save({ ...london, name: 'Mum', extension: ',9' })).json()
    await anna.mark(mum.id, true)
    const noted = await anna.change(mum.id, { notes: '  Rings twice.\r\n\u202eAsk for \u0007Rose ' })
    expect([noted.statusCode, noted.json()]).toEqual([
      200,
      { ...mum, favourite: true, notes: 'Rings twice.\nAsk for Rose' },
    ])
    const renamed = await anna.change(mum.id, { name: ' Mother\n' })
    expect(renamed.json()).toEqual({ ...noted.json(), name: 'Mother' })
    expect((await anna.change(mum.id, {})).json()).toEqual(renamed.json())
    expect((await anna.list()).json()).toEqual([renamed.json()])
    const cleared = await anna.change(mum.id, { name: 'Mum', notes: ' \n' })
    expect(cleared.json()).toEqual({ ...mum, favourite: true })

    const nameless = 'Enter a name for this contact.'
    expectRejection(await anna.change(mum.id, { name: ' ' }), 'invalid_request', nameless)
    const long = 'Use at most 500 characters for the notes.'
    expectRejection(await anna.change(mum.id, { notes: 'x'.repeat(501) }), 'invalid_request', long)
    expect((await anna.change(mum.id, { notes: '漢'.repeat(500) })).statusCode).toBe(200)
    for (const wrong of [{ name: null }, { notes: 7 }])
      expect((await anna.change(mum.id, wrong)).statusCode).toBe(400)

    const boris = await newPerson()
    expect((await boris.change(mum.id, { name: 'Mine' })).statusCode).toBe(404)
    expect((await anna.change('not-an-id', { name: 'Mine' })).statusCode).toBe(404)
    expect((await anna.list()).json()[0].name).toBe('Mum')
  })

  test('come back as they were once deleted, without the star if its place is taken', async () => {
    const anna = await newPerson()
    const whole = { ...london, name: 'Mum', extension: ',9', notes: 'Rings twice.', favourite: true }
    const mum = (await anna.save(whole)).json()
    expect(mum).toEqual({ ...whole, id: mum.id })
    await anna.remove(mum.id)
    const { id: _, ...back } = (await anna.save(whole)).json()
    expect(back).toEqual(whole)
    await anna.remove((await anna.list()).json()[0].id)
    for (let n = 0; n < maxFavourites; n += 1)
      await anna.save({ ...london, phone_number: `+44207946095${n}`, name: `No ${n}`, favourite: true })
    const late = await anna.save({ ...whole, ...delhi })
    expect(late.json()).toMatchObject({ name: 'Mum', notes: 'Rings twice.', favourite: false })
  })

  test('are imported in order, each with an outcome of its own, and once however often they are sent', async () => {
    const anna = await newPerson()
    await anna.save({ ...london, name: 'Mum' })
    const book = [
      { name: 'Mother', phone_number: london.phone_number },
      { name: 'Anjali', phone_number: delhi.phone_number, notes: 'Evenings.', extension: ',1' },
      { name: 'Anjali again', phone_number: delhi.phone_number },
      { name: 'Hotline', phone_number: '+449098790000' },
      { name: 'Police', phone_number: '+44999' },
    ]
    const answer = await anna.bring(book)
    expect(answer.statusCode).toBe(200)
    const { outcomes } = answer.json()
    expect(outcomes).toEqual([
      { outcome: 'already_saved', name: 'Mum' },
      {
        outcome: 'saved',
        contact: {
          id: expect.any(String),
          name: 'Anjali',
          ...delhi,
          favourite: false,
          notes: 'Evenings.',
          extension: ',1',
        },
      },
      { outcome: 'already_saved', name: 'Anjali' },
      { outcome: 'number_refused', message: "We don't call premium-rate numbers, so you can't save one." },
      { outcome: 'number_refused', message: expect.stringContaining('emergency') },
    ])
    const again = (await anna.bring(book)).json().outcomes
    expect(again[1]).toEqual({ outcome: 'already_saved', name: 'Anjali' })
    expect((await anna.list()).json()).toHaveLength(2)
    const boris = await newPerson()
    expect((await boris.list()).json()).toEqual([])
    const many = Array.from({ length: 21 }, (_, n) => ({ name: 'x', phone_number: `+44207946${1000 + n}` }))
    expectRejection(await anna.bring(many), 'invalid_request', 'Send at most 20 contacts at a time.')
    expectRejection(await anna.bring([]), 'invalid_request', 'Choose at least one contact.')
    expect((await anna.bring([{ name: 'x', phone_number: '020 7946 0958' }])).statusCode).toBe(400)
  })

  test('are imported as long as there is room', async () => {
    const anna = await newPerson()
    await web.db.query(
      `insert into contact (id, user_id, name, phone_number, dial_code, iso_code, created_at)
       select gen_random_uuid(), $1, 'No ' || n, '+4420' || (70000000 + n), '+44', 'GB', $2
       from generate_series(1, $3::int) n`,
      [anna.userId, web.clock.now(), maxContacts - 1],
    )
    const { outcomes } = (
      await anna.bring([
        { name: 'Last', phone_number: delhi.phone_number },
        { name: 'Beyond', phone_number: '+919876543211' },
      ])
    ).json()
    expect(outcomes[0].outcome).toBe('saved')
    const message = 'You can have up to 500 contacts. Delete one to save another.'
    expect(outcomes[1]).toEqual({ outcome: 'too_many_contacts', message })
  })

  test('become favourites and cease to be, asked twice as well, and stay as they are otherwise', async () => {
    const anna = await newPerson()
    const saved = (await anna.save({ ...london, name: 'Mum' })).json()
    const both = await Promise.all([anna.mark(saved.id, true), anna.mark(saved.id, true)])
    for (const marked of both)
      expect([marked.statusCode, marked.json()]).toEqual([200, { ...saved, favourite: true }])
    expect((await anna.list()).json()).toEqual([{ ...saved, favourite: true }])
    // The same number saved again under its name is found as it is.
    expect((await anna.save({ ...london, name: 'Mum' })).json().favourite).toBe(true)
    expect((await anna.mark(saved.id, false)).json()).toEqual(saved)
    expect((await anna.mark(saved.id, 'yes')).statusCode).toBe(400)
    expect((await anna.mark('not-an-id', true)).statusCode).toBe(404)
    const boris = await newPerson()
    expect((await boris.mark(saved.id, true)).statusCode).toBe(404)
    expect((await anna.list()).json()).toEqual([saved])
    await anna.remove(saved.id)
    expect((await anna.mark(saved.id, true)).statusCode).toBe(404)
  })

  test('as many favourites as fit on the sheet, also when two are marked at once', async () => {
    const anna = await newPerson()
    const ids: string[] = []
    for (let n = 0; n < maxFavourites + 1; n += 1)
      ids.push((await anna.save({ ...london, phone_number: `+44207946095${n}`, name: `No ${n}` })).json().id)
    for (const id of ids.slice(0, maxFavourites - 1)) expect((await anna.mark(id, true)).statusCode).toBe(200)
    const last = await Promise.all(ids.slice(-2).map(id => anna.mark(id, true)))
    expect(last.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
    const refused = last.find(({ statusCode }) => statusCode === 400)
    const message = 'You can have up to 8 favourites. Remove one first.'
    if (refused !== undefined) expectRejection(refused, 'too_many_favourites', message)
    expect((await anna.mark(ids[0] ?? '', true)).statusCode).toBe(200)
    const marked = (await anna.list()).json().filter((contact: { favourite: boolean }) => contact.favourite)
    expect(marked).toHaveLength(maxFavourites)
  })

  test("another user's are neither seen nor deleted, and need a session", async () => {
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
      { method: 'PUT', url: `/api/contacts/${saved.json().id}/favourite`, payload: { favourite: true } },
      { method: 'DELETE', url: `/api/contacts/${saved.json().id}` },
    ] as const)
      expect((await web.app.inject(request)).statusCode).toBe(401)
  })

  test('are limited in number, even when two arrive at once', async () => {
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
