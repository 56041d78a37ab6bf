import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'

const web = keepForFile(await createWeb())

const newFormId = () => randomBytes(16).toString('hex')

/** Every test writes from an address and on a form of its own. */
let writer = 0
let formId = ''
let earlier = 0
beforeEach(async () => {
  writer += 1
  formId = newFormId()
  earlier = (await web.readMails()).length
})

const form = {
  name: 'Anna Berg',
  email: 'anna@example.com',
  about: 'call',
  message: 'Dear Farline,\nthe line was fine.\n\nThen it was not.',
}
const send = (changes: object = {}, remoteAddress = `203.0.113.${writer}`) =>
  web.app.inject({
    method: 'POST',
    url: '/api/support',
    payload: { ...form, formId, ...changes },
    remoteAddress,
  })

/** The mails of this test, newest first. */
async function newMails() {
  const mails = await web.readMails()
  return mails.slice(0, mails.length - earlier)
}

test('a message reaches support once, whole, and is answered to its writer', async () => {
  const sent = await send()
  expect(sent.statusCode).toBe(202)
  const { reference } = sent.json()
  expect(reference).toMatch(/^S-[2-9B-Z]{6}$/)
  const mails = await newMails()
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatchObject({
    to: 'support@farline.example',
    replyTo: 'anna@example.com',
    subject: `${reference}: A call, from Anna Berg`,
  })
  expect(mails[0]?.text).toContain(form.message)
  expect(mails[0]?.html).toContain('Dear Farline,<br>\nthe line was fine.')
})

test('a message sent twice, or again after a lost answer, is one e-mail with one reference', async () => {
  const answers = await Promise.all([send(), send(), send()])
  const later = await send()
  expect(new Set([...answers, later].map(answer => answer.json().reference)).size).toBe(1)
  expect(await newMails()).toHaveLength(1)
})

test('a message that was changed, or written on a new form, is another one', async () => {
  const answers = [
    await send(),
    await send({ message: 'Something I forgot.' }),
    await send({ formId: newFormId() }),
  ]
  expect(new Set(answers.map(answer => answer.json().reference)).size).toBe(3)
  expect(await newMails()).toHaveLength(3)
})

test('sends e-mails only to support', async () => {
  await send({ email: 'somebody.else@example.com' })
  expect((await newMails()).map(mail => mail.to)).toEqual(['support@farline.example'])
})

test('markup in a message stays text, and broken or invisible characters do not stop it', async () => {
  const answer = await send({
    name: 'Zo\ud83d',
    message: '<b>bold</b> \ud83d\ud83d\ude00 \u0007bell\r\nnext',
  })
  expect(answer.statusCode).toBe(202)
  const [mail] = await newMails()
  expect(mail?.html).toContain('&lt;b&gt;bold&lt;/b&gt; \ufffd\ud83d\ude00 bell<br>\nnext')
  expect(mail?.subject).toMatch(/, from Zo\ufffd$/)
})

test('a name on two lines, or one that turns the text around, is one plain line in the subject', async () => {
  await send({ name: ' Anna\r\nBcc: all@example.com\u2028\u202egnoy ' })
  const [mail] = await newMails()
  expect(mail?.subject).toMatch(/, from Anna Bcc: all@example\.com gnoy$/)
})

test('the preview of a message may end within a smiley', async () => {
  const message = `${'a'.repeat(99)}\u{1f600} and more`
  expect((await send({ message })).statusCode).toBe(202)
  expect((await newMails())[0]?.text).toContain(message)
})

test.each([
  ['name', 'nothing', '', 'Tell us your name.'],
  ['name', 'too long', 'a'.repeat(101), 'Use at most 100 characters.'],
  ['email', 'no address', 'anna', "That isn't an e-mail address yet. It needs an @, like you@example.com."],
  [
    'email',
    'a second line',
    'anna@example.com\r\nBcc: all@example.com',
    'Enter an e-mail address such as name@example.com.',
  ],
  [
    'email',
    'two addresses',
    'anna@example.com,all@example.com',
    'Enter an e-mail address such as name@example.com.',
  ],
  ['about', 'no topic of ours', 'nothing', "Choose what it's about."],
  ['message', 'only white space', ' \n ', 'Write your message.'],
  ['message', 'too long', 'a'.repeat(5001), "That's too long for one message. Use at most 5000 characters."],
])('%s: rejects %s with what to do, and sends nothing', async (field, _what, value, message) => {
  const answer = await send({ [field]: value })
  expect(answer.statusCode).toBe(400)
  expect(answer.json().errors).toContainEqual({ field, message })
  expect(await newMails()).toEqual([])
})

test('the longest message fits, in any script', async () => {
  const message = '語'.repeat(5000)
  expect((await send({ message })).statusCode).toBe(202)
  expect((await newMails())[0]?.text).toContain(message)
})

test('one address writes at most 20 messages an hour; others still can', async () => {
  const codes: number[] = []
  for (let count = 0; count < 21; count += 1) {
    codes.push((await send({ message: `message ${count}` })).statusCode)
  }
  expect(codes).toEqual([...Array(20).fill(202), 429])
  const refused = await send({ message: 'one more' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
  expect((await send({}, '198.51.100.1')).statusCode).toBe(202)
})
