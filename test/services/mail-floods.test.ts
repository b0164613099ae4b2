/** An account cannot fill the mailbox of a person who has not agreed to its emails, in any way. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../src/domain/account/account.ts'
import { personIn } from '../../src/domain/actor.ts'
import { Refusal } from '../../src/domain/errors.ts'
import { requestEmail } from '../../src/services/accounts/email-change.ts'
import { invite } from '../../src/services/accounts/invitations.ts'
import { testChannel } from '../../src/services/channels/channel-test.ts'
import { createChannel, editChannel, getChannel, listChannels } from '../../src/services/channels/channels.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import { accountOf, BROWSER, personAt } from './accounts/people.ts'

const STRANGER = 'stranger@example.org'
const OPEN = { REGISTRATION_OPEN: 'True', EMAIL_HOST: 'mail.example.org' }

let t: TestApp
let ann: Account
const begin = async (env: Readonly<Record<string, string>>) => {
  t = await testApp({ env })
  ann = await accountOf(t, { role: 'owner', password: null })
}
afterEach(() => t.close())

/** Returns the account, in another network each time. */
const person = (n = 0) => personAt(ann, { ...BROWSER, address: `10.0.${n}.1` })
const actor = (n = 0) => {
  const found = personIn(t.project, person(n), 'owner')
  if (!found) throw new Error('no member')
  return found
}
/** @returns codes of the refusals, and the number of emails sent */
const flood = async (times: number, ask: (n: number) => Promise<unknown>) => {
  const codes = new Set<string>()
  for (let n = 0; n < times; n += 1) {
    try {
      await ask(n)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      codes.add(error.code)
    }
  }
  await t.app.deps.background.drain()
  return { codes: [...codes], mails: t.mails.length }
}

describe('where strangers sign up', () => {
  beforeEach(() => begin(OPEN))
  const create = (settings: string) => createChannel(t.app.deps, actor(), { kind: 'email', name: 'Ops', settings })

  test('by changing its own email', async () => {
    const flooded = await flood(60, () => requestEmail(t.app.deps, person(), null, STRANGER))
    expect(flooded).toEqual({ codes: ['over-limit'], mails: 5 })
  })

  test('by changing it from many networks, to many spellings of one address', async () => {
    const flooded = await flood(60, (n) => requestEmail(t.app.deps, person(n), null, `stranger+${n}@example.org`))
    expect(flooded).toEqual({ codes: ['over-limit'], mails: 10 })
  })

  test('by changing it from many networks, to many strangers', async () => {
    const flooded = await flood(60, (n) => requestEmail(t.app.deps, person(n), null, `stranger${n}@example.org`))
    expect(flooded).toEqual({ codes: ['over-limit'], mails: 20 })
  })

  test('by adding integrations, of which none is added without its email', async () => {
    const flooded = await flood(60, () => create(STRANGER))
    expect(flooded).toEqual({ codes: ['over-limit'], mails: 5 })
    expect(await listChannels(t.app.deps, actor())).toHaveLength(5)
  })

  test('by changing an integration to the address and back, of which nothing is changed without its email', async () => {
    await create('ops@example.org')
    t.mails.length = 0
    const flooded = await flood(60, async (n) => {
      const settings = { value: n % 2 === 0 ? STRANGER : 'ops@example.org' }
      await editChannel(t.app.deps, actor(), await getChannel(t.app.deps, actor(), 'Ops'), { settings })
    })
    expect(flooded.codes).toEqual(['over-limit'])
    expect(t.mails.filter(({ to }) => to === STRANGER).length).toBeLessThanOrEqual(5)
    const channel = await getChannel(t.app.deps, actor(), 'Ops')
    expect(JSON.stringify(channel.settings)).toContain(t.mails.at(-1)?.to ?? 'nobody')
  })

  test('by testing an integration of which the address is not confirmed', async () => {
    const channel = await create(STRANGER)
    const flooded = await flood(60, () => testChannel(t.app.deps, actor(), channel, 'down'))
    expect(flooded).toEqual({ codes: ['channel-unconfirmed', 'over-limit'], mails: 5 })
  })

  test('by inviting from many networks', async () => {
    const flooded = await flood(60, (n) => invite(t.app.deps, actor(n), 'member', `stranger.${n % 3}@example.org`))
    expect(flooded).toEqual({ codes: ['over-limit'], mails: 20 })
  })
})

test('where nobody signs up, by tests of an integration that needs no confirmation', async () => {
  await begin({ EMAIL_HOST: 'mail.example.org' })
  const channel = await createChannel(t.app.deps, actor(), { kind: 'email', name: 'Ops', settings: STRANGER })
  const flooded = await flood(60, () => testChannel(t.app.deps, actor(), channel, 'down'))
  expect(flooded).toEqual({ codes: ['over-limit'], mails: 20 })
})
