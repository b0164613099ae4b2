/** Display of a ping whose stored text ends within a ping URL, to a person who may only read. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { operatorIn } from '../../../../src/domain/actor.ts'
import type { Check } from '../../../../src/domain/check/check.ts'
import { typedPingSecretsIn } from '../../../../src/domain/redaction.ts'
import { wordsOf } from '../../../../src/domain/search/words.ts'
import { upsertCheck } from '../../../../src/services/checks/checks.ts'
import { type Browser, memberWith } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const LIMIT = 80
let t: TestApp
let check: Check
let reader: Browser
let member: Browser
beforeEach(async () => {
  t = await testApp({ env: { PING_BODY_LIMIT: String(LIMIT) } })
  check = (await upsertCheck(t.app.deps, operatorIn(t.project), { name: 'nightly' }, true)).check
  reader = await memberWith(t, 'read-only')
  member = await memberWith(t, 'member')
})
afterEach(() => t.close())

/** Makes a body in which this many characters of the UUID are kept. */
const bodyWith = (characters: number) => {
  const url = `https://hc.example.org/ping/${check.id}`
  const before = url.length - check.id.length
  return `${'x'.repeat(LIMIT - before - characters - 6)} curl ${url} and more`
}

async function found(browser: Browser, q: string): Promise<boolean> {
  const { text } = await browser.get(`/search?${new URLSearchParams({ q })}`)
  return text.includes('id="found-pings"')
}

async function readAll(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await t.app.settle('search')
    t.clock.advance({ seconds: 1 })
  }
}

test.each([35, 24, 14, 9])('a body that keeps %d characters of a UUID shows none of them', async (characters) => {
  const kept = check.id.slice(0, characters)
  await t.call('POST', `/ping/${check.id}/fail`, { body: bodyWith(characters) })
  await readAll()
  const path = `/p/tests/checks/${check.publicId}`
  const pages = [path, `${path}/log`, `${path}/log/1`, `${path}/log/1/body`, '/p/tests/checks', '/', '/search?q=curl']
  for (const page of pages) {
    const { text, status } = await reader.get(page)
    expect([page, status, text.includes(kept.slice(0, 9))]).toEqual([page, 200, false])
  }
  expect((await member.get(`${path}/log/1`)).text).toContain(kept)
  for (const q of [kept, kept.slice(0, 8), kept.slice(9, 13), `"${kept.replaceAll('-', ' ')}"`]) {
    if (q.length >= 3) expect([q, await found(reader, q)]).toEqual([q, false])
  }
  expect(await found(reader, 'curl')).toBe(true)
  expect(await found(member, kept)).toBe(true)
})

test('words of such a UUID that an earlier version has stored are found by members only', async () => {
  const body = bodyWith(35)
  await t.call('POST', `/ping/${check.id}`, { body })
  const unread = await t.app.deps.store.search.findUnread()
  if (unread === null) throw new Error('the entry was read already')
  const words = Array.from(wordsOf(body.slice(0, LIMIT), typedPingSecretsIn), ({ word }) => word)
  await t.app.deps.store.search.writeWords(
    unread,
    unread.pings.map(({ id, checkId, n }) => ({ id, checkId, n, words })),
  )
  for (const q of [check.id.slice(0, 8), check.id.slice(0, 30), `curl ${check.id.slice(0, 8)}`]) {
    expect([q, await found(reader, q), await found(member, q)]).toEqual([q, false, true])
  }
  expect(await found(reader, 'curl')).toBe(true)
})

test.each([
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'text/plain'],
  ['an encoded form', (text: string) => `x=&report=${encodeURIComponent(text)}`, 'application/x-www-form-urlencoded'],
])('a UUID in %s is neither shown nor in the original for readers', async (_, encode, type) => {
  const whole = await testApp()
  try {
    const { id, publicId } = (await upsertCheck(whole.app.deps, operatorIn(whole.project), {}, true)).check
    await whole.call('POST', `/ping/${id}/fail`, { body: encode(`see /ping/${id}`), headers: { 'content-type': type } })
    const path = `/p/tests/checks/${publicId}`
    const outsider = await memberWith(whole, 'read-only')
    for (const page of [path, `${path}/log`, `${path}/log/1`, `${path}/log/1/body`]) {
      const { text } = await outsider.get(page)
      expect([page, text.replaceAll('\0', '').includes(id.slice(0, 9)), text.includes('/ping/')]).toEqual([
        page,
        false,
        true,
      ])
    }
  } finally {
    await whole.close()
  }
})
