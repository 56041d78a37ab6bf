import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { together } from '#server/config/environment.ts'
import { webhookPaths } from '#server/telephony/twilio/webhook-paths.ts'

const page = readFileSync(new URL('../../../../docs/operating/twilio.md', import.meta.url), 'utf8')

test('the operating page names every variable and both addresses as they are', () => {
  for (const name of together.Twilio) expect(page).toContain(`\`${name}\``)
  for (const path of Object.values(webhookPaths)) expect(page).toContain(`\`<PUBLIC_URL>${path}\``)
})

test('the log messages that the page names are those that are logged', () => {
  const logged = [...page.matchAll(/^\| `([A-Za-z: ]+)`/gm)].map(([, message]) => message)
  expect(logged).toHaveLength(8)
  const sources = [
    'calls/carrier/twilio-webhook-routes',
    'telephony/twilio/api-client',
    'calls/carrier/poll-carrier',
    'calls/settlement/settle',
    'telephony/twilio/caller-ids',
    'telephony/twilio/webhooks',
  ]
    .map(name => readFileSync(new URL(`../../../../server/${name}.ts`, import.meta.url), 'utf8'))
    .join('\n')
  for (const message of [...logged, 'a number is already verified for another user'])
    expect(sources).toContain(`'${message}'`)
})
