/** Secrets that are typed into the form of an integration are in no page, no audit row and no log line. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { settingFields } from '../../src/domain/channel/setting-fields.ts'
import { upsertCheck } from '../../src/services/checks/checks.ts'
import { OPERATOR_SETTINGS } from '../../src/transports/operator.ts'
import { allSecrets, formOf } from '../../src/transports/settings-form.ts'
import { type Browser, memberWith } from '../support/browser.ts'
import { filledForm } from '../support/integration-forms.ts'
import { openStream } from '../support/live-stream.ts'
import { anAuthor } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import { KINDS, SETTINGS, transportOf } from '../transports/kinds.ts'
import { ENVIRONMENT, secretsIn } from './secrets.ts'

/** Settings of the operator that requests contain. */
const OPERATOR = OPERATOR_SETTINGS.flatMap(({ name, type, example }) =>
  type === 'url' || example.includes('…') || name === 'TWILIO_FROM' ? [[name, ENVIRONMENT[name] ?? ''] as const] : [],
)

let t: TestApp
let member: Browser
let reader: Browser
beforeAll(async () => {
  t = await testApp({
    env: ENVIRONMENT,
    carriers: {
      shell: async ({ command }) => ({ kind: 'aborted', error: `ended: ${command}` }),
      signal: async () => ({ kind: 'answered', error: { message: OPERATOR.join() } }),
    },
  })
  member = await memberWith(t, 'member')
  reader = await memberWith(t, 'read-only')
  // A receiver that repeats the whole request, and all settings of the operator.
  t.answerWith(({ url, headers, body }) => ({
    kind: 'answered',
    status: 400,
    headers: new Headers({ 'content-type': 'text/plain', location: url }),
    body: [url, JSON.stringify(headers), body, OPERATOR.join('\n')].join('\n'),
  }))
  t.answerMailWith({ kind: 'refused', stage: 'message', status: 554, response: `554 ${OPERATOR.join()}` })
})
afterAll(() => t.close())
afterEach(async () => {
  const { store } = t.app.deps
  for (const { id } of await store.channels.list(t.project.id)) await store.by(anAuthor()).channels.delete(id)
  t.log.length = 0
  // A person may send ten tests in a minute.
  t.clock.advance({ minutes: 1 })
})

/** Returns the secrets of a kind, and those of the operator. */
function secretsOf(kind: string): readonly string[] {
  return [...allSecrets(transportOf(kind), SETTINGS[kind], {}), ...OPERATOR.map(([, value]) => value)]
}

const found = (text: string, secrets: readonly string[]) => {
  const plain = text.toLowerCase()
  const decoded = [...text.matchAll(/[\w+/-]{16,}={0,2}/g)].map(([word]) => Buffer.from(word, 'base64').toString())
  return secrets.filter((secret) => {
    const isPlain = [secret, encodeURIComponent(secret)].some((form) => plain.includes(form.toLowerCase()))
    return isPlain || decoded.some((words) => words.includes(secret))
  })
}

test('every kind that needs a key hides it', () => {
  const needsKey = (kind: string) =>
    secretsIn(JSON.stringify(SETTINGS[kind])).some((secret) => secret.includes('0Secret'))
  const open = KINDS.filter(needsKey).filter(
    (kind) => !settingFields(formOf(transportOf(kind)).fields).some(({ isSecret }) => isSecret),
  )
  // Commands, which people must see to change them.
  expect(open).toEqual(['shell'])
})

describe.each(KINDS)('a secret of kind %s', (kind) => {
  const { fields } = filledForm(kind)

  test('is not in a page that follows, nor in the audit log, nor in the log', async () => {
    const secrets = secretsOf(kind)
    const pages: string[] = []
    const post = async (path: string, form: Record<string, string>) => {
      pages.push((await member.post(path, form)).text)
    }
    await post(`/p/tests/integrations/new/${kind}`, { ...fields, name: 'x'.repeat(101) })
    await post(`/p/tests/integrations/new/${kind}`, { ...fields, name: 'Ops', action: 'test' })
    const [channel] = await t.app.deps.store.channels.list(t.project.id)
    const path = `/p/tests/integrations/${channel?.id}`
    pages.push((await member.get(path)).text)
    pages.push((await member.get('/p/tests/integrations')).text)
    await post(path, { ...fields, name: 'x'.repeat(101) })
    await post(path, { ...fields, name: 'Renamed', action: 'test' })
    await post(`${path}/test`, { status: 'up' })
    expect(pages.map((page) => found(page, secrets))).toEqual(pages.map(() => []))
    const audit = await t.app.deps.store.audit.list(100)
    expect(found(JSON.stringify([audit, t.log]), secrets)).toEqual([])
  })

  test('is not in its deliveries, what is kept of their tries, nor in what open pages are told', async () => {
    const secrets = secretsOf(kind)
    const { deps } = t.app
    await member.post(`/p/tests/integrations/new/${kind}`, { ...fields, name: 'Ops', assign: 'on' })
    const { check } = await upsertCheck(deps, t.actor, { name: 'Backup', channels: '*' }, false)
    const streams = await Promise.all(
      ['integrations', 'alerts'].map((view) => openStream(t, member, `/p/tests/live?view=${view}`)),
    )
    for (const action of ['', '/fail']) {
      await t.call('POST', `/ping/${check.id}${action}`, { body: 'done' })
      t.clock.advance({ minutes: 1 })
      await t.app.settle('deliveries')
    }
    const entries = await deps.store.deliveries.list(t.project.id, null, 10)
    expect(entries.length).toBeGreaterThan(0)
    const attempts = await Promise.all(entries.map(({ delivery }) => deps.store.deliveries.listAttempts(delivery.id)))
    expect(attempts.flat().length).toBeGreaterThan(0)
    expect(found(JSON.stringify([entries, attempts]), secrets)).toEqual([])
    for (const browser of [member, reader]) {
      const list = (await browser.get('/p/tests/alerts')).text
      const opened = [...list.matchAll(/href="(\/p\/tests\/alerts\/[^"?]+)"/g)].map(([, path = '']) => path)
      expect(opened.length).toBeGreaterThan(0)
      const pages = [list, (await browser.get('/p/tests/integrations')).text]
      for (const path of opened) pages.push((await browser.get(path)).text)
      expect(pages.map((page) => found(page, secrets))).toEqual(pages.map(() => []))
    }
    for (const stream of streams) {
      const events = await stream.take()
      expect(events.length).toBeGreaterThan(0)
      expect(found(JSON.stringify(events), secrets)).toEqual([])
      await stream.leave()
    }
  })
})
