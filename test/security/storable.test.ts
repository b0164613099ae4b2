/**
 * U+0000 and halves of surrogate pairs, which not every engine can store, are refused or left out at each door. The store of the test app
 * fails if one reaches it.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { OPERATOR } from '../../src/domain/actor.ts'
import { createAccount } from '../../src/services/accounts/accounts.ts'
import { startSession } from '../../src/services/accounts/sign-in/sessions.ts'
import { createChannel } from '../../src/services/channels/channels.ts'
import { createPingReceiver } from '../../src/services/pings/pings.ts'
import { createProject } from '../../src/services/projects/projects.ts'
import { receiveMessage } from '../../src/smtp/message.ts'
import { type CourierFixture, courierFixture } from '../services/courier/courier-fixture.ts'
import { addAccount, memberWith } from '../support/browser.ts'
import { refusalOf } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

const WRONG = ['a\u0000b', 'a\ud83d', '\udc00a']
/** Texts as encoded in an address or a form: U+0000, and half of a pair, which is no valid UTF-8. */
const ENCODED = ['a%00b', '%ED%A0%BD']

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
})
afterEach(async () => {
  expect(t.log.filter(({ level }) => level === 'error')).toEqual([])
  await t.close()
})

const status = async (method: string, path: string, call = {}) =>
  (await t.call(method, path, { key: t.keys.apiKey, ...call })).status

describe('text of a request', () => {
  test.each(['name', 'tags', 'desc', 'slug', 'schedule', 'tz', 'methods', 'start_kw', 'failure_kw', 'channels'])(
    'is refused in the field %s of a check',
    async (field) => {
      for (const text of WRONG) {
        expect(await status('POST', '/api/v3/checks/', { json: { [field]: text } })).toBe(400)
      }
    },
  )

  test('finds nothing in a query of the API', async () => {
    await d.addCheck()
    for (const text of ENCODED) {
      for (const name of ['slug', 'tag']) {
        expect(await t.json('GET', `/api/v3/checks/?${name}=${text}`, { key: t.keys.apiKey })).toEqual({ checks: [] })
      }
    }
  })

  test('is no key', async () => {
    for (const text of WRONG) {
      expect(await status('POST', '/api/v3/checks/', { key: '', json: { api_key: text } })).toBeOneOf([400, 401])
    }
  })

  test('is no part of a path', async () => {
    const check = await d.addCheck()
    for (const text of ENCODED) {
      const paths = [
        `/ping/${text}`,
        `/ping/${t.keys.pingKey}/${text}`,
        `/ping/${check}?rid=${text}`,
        `/badge/${text}/x.svg`,
      ]
      for (const path of [...paths, `/b/2/${text}.svg`, `/api/v3/checks/${text}`]) {
        expect({ path, isRefused: [400, 404].includes(await status('GET', path)) }).toEqual({ path, isRefused: true })
      }
    }
  })

  test('finds nothing, or is left out, in the address of a page', async () => {
    const member = await memberWith(t, 'owner')
    const { slug } = t.project
    for (const text of ENCODED) {
      const found = [`/search?q=${text}`, `/p/${slug}/checks?q=${text}&tag=${text}&status=${text}&sort=${text}`]
      for (const path of found) expect([path, (await member.get(path)).status]).toEqual([path, 200])
      const missing = [`/p/${text}/checks`, `/p/${slug}/checks/${text}`, `/p/${slug}/checks/${text}/log`]
      for (const path of missing) expect([path, (await member.get(path)).status]).toEqual([path, 404])
    }
  })

  test('is refused in a form', async () => {
    const member = await memberWith(t, 'owner')
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8000' }
    for (const text of ENCODED) {
      const answer = await member.ask('POST', `/p/${t.project.slug}/checks/new`, headers, `name=${text}`)
      expect(answer.status).toBe(400)
    }
  })
})

describe('text of a person or a command', () => {
  test('is refused as the name of a project, and as an email', async () => {
    for (const text of WRONG) {
      expect((await refusalOf(createProject(t.app.deps, text))).code).toBe('name-invalid')
      const account = createAccount(t.app.deps, OPERATOR, `${text}@example.org`, false)
      expect((await refusalOf(account)).code).toBe('email-invalid')
    }
  })

  test('is refused in the name and, however deep, in the settings of a channel', async () => {
    const url = 'https://example.org'
    for (const text of WRONG) {
      const requests = [
        { kind: 'webhook', name: text, settings: { url } },
        { kind: 'webhook', name: '', settings: { url: `${url}/${text}` } },
        { kind: 'webhook', name: '', settings: { url_down: url, headers_down: { 'X-A': text } } },
        { kind: 'group', name: '', settings: text },
        { kind: 'sms', name: '', settings: { value: `+1${text}`, down: true } },
      ]
      for (const request of requests) {
        expect((await refusalOf(createChannel(t.app.deps, t.actor, request))).kind).toBeOneOf(['invalid', 'forbidden'])
      }
    }
  })

  test('is left out of the name of a browser', async () => {
    const account = await addAccount(t)
    const userAgent = 'Fire\u0000fox \ud83d'
    const { session } = await startSession(t.app.deps, account, { address: null, userAgent }, { method: 'link' })
    expect((await t.app.deps.store.sessions.find(session.lookup))?.session.userAgent).toBe('Firefox \ufffd')
  })
})

describe('text of a stranger', () => {
  test('is left out of the sender of an email, also where it is cut', async () => {
    const id = await d.addCheck()
    const pings = createPingReceiver(t.app.deps)
    const sender = `${'x'.repeat(188)}😀@example.org`
    const envelope = { sender, targets: [{ kind: 'id', id } as const], remoteAddr: null }
    const beginning = new TextEncoder().encode('Subject: a\u0000b\r\n\r\nc\u0000')
    await receiveMessage({ ...t.app.deps, pings }, envelope, { beginning, rest: [] })
    const [ping] = await t.app.deps.store.pings.list(id, 1)
    expect(ping?.ua).toBe(`Email from ${'x'.repeat(188)}\ufffd`)
  })

  test('is left out of the error of a delivery that its receiver caused', async () => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
    t.answerWith({ kind: 'unreachable', error: 'no\u0000thing \ud83d', permanent: false })
    await d.deliver()
    expect((await d.channelNow()).lastError).toBe('nothing \ufffd')
  })
})
