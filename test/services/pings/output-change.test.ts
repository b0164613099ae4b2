/** The output of a failed run compared with that of the last good one. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Actor } from '../../../src/domain/actor.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { readCheckPage } from '../../../src/services/overview/check-page.ts'
import { compareOutput } from '../../../src/services/pings/output-change.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { getKeyActor } from '../../../src/services/projects/keys.ts'
import { aSignal, bytes } from '../../support/builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let check: Awaited<ReturnType<typeof upsertCheck>>['check']
beforeEach(async () => {
  t = await testApp({ env: { PING_BODY_LIMIT: '200000' } })
  check = (await upsertCheck(t.app.deps, t.actor, { name: 'Backup' }, false)).check
})
afterEach(() => t.close())

async function ping(action: string, body = '') {
  t.clock.advance({ seconds: 1 })
  expect((await t.call('POST', `/ping/${check.id}${action}`, { body })).status).toBe(200)
}

async function changeOf(actor: Actor = t.actor) {
  const { failedOutput } = await readCheckPage(t.app.deps, actor, check.publicId, 'UTC', null)
  return failedOutput?.change ?? null
}

async function newLines(actor: Actor = t.actor) {
  const change = await changeOf(actor)
  return change?.kind === 'changed' ? change.diff.newLines : change
}

describe('is compared', () => {
  test('with the newest success before it that has an output', async () => {
    await ping('', 'begin\nold end')
    await ping('', 'begin\nend')
    await ping('')
    await ping('/fail', 'begin\ndisk full')
    expect(await changeOf()).toMatchObject({ kind: 'changed', good: { n: 2 }, isCut: false })
    expect(await newLines()).toEqual(['disk full'])
  })

  test('while it is the newest run, whatever was logged or started since', async () => {
    await ping('', 'begin\nend')
    await ping('/fail', 'begin\ndisk full')
    await ping('/log', 'a note')
    await ping('/start')
    expect(await newLines()).toEqual(['disk full'])
    await ping('')
    expect(await changeOf()).toBeNull()
  })

  test('by what does not differ in every run', async () => {
    await ping('', 'begin at 12:00:01, pid 4')
    await ping('/fail', 'begin at 13:00:01, pid 5')
    expect(await changeOf()).toMatchObject({ kind: 'same', good: { n: 1 } })
  })

  test('as far as its first 64 KiB', async () => {
    const begin = 'line\n'.repeat(14_000)
    await ping('', `${begin}end`)
    await ping('/fail', `error\n${begin}another end`)
    expect(await changeOf()).toMatchObject({ kind: 'changed', isCut: true })
    expect(await newLines()).toEqual(['error'])
  })

  test.each([
    ['more than is compared', 200_000],
    ['as much as the server keeps', 10_000],
  ])('without the line in which it is cut, of %s', async (_, limit) => {
    const output = (began: string) => `began at ${began}\n${'/srv/photos/2026: 10.5 s, all well\n'.repeat(3_000)}`
    await ping('', output('9:00:00').slice(0, limit))
    await ping('/fail', output('10:00:00.123').slice(0, limit))
    const failed = await t.app.deps.store.pings.findStart(check.id, 2, limit)
    if (failed === null) throw new Error('it was sent')
    const change = await compareOutput({ ...t.app.deps, pingBodyLimit: limit }, failed, true)
    expect(change).toMatchObject({ kind: 'same', good: { n: 1 } })
  })

  test('of an email by its subject and its text', async () => {
    const receiver = createPingReceiver(t.app.deps)
    const mail = async (action: 'success' | 'fail', subject: string, text: string) => {
      const body = bytes(`Subject: ${subject}\r\nMessage-ID: <${action}@a.test>\r\n\r\n${text}\r\n`)
      await receiver.receive({ kind: 'id', id: check.id }, aSignal({ action, scheme: 'email', body }))
    }
    await mail('success', 'Backup: fine', 'begin\r\nend')
    await mail('fail', 'Backup: failed', 'begin\r\ndisk full')
    expect(await newLines()).toEqual(['Backup: failed', 'disk full'])
  })
})

describe('is not compared', () => {
  const why = async () => {
    const change = await changeOf()
    return change?.kind === 'not-compared' ? change.why : change
  }

  test('when it is empty, and says whether good runs have one', async () => {
    await ping('/fail')
    expect(await why()).toBe('no-output')
    await ping('')
    await ping('/fail')
    expect(await why()).toBe('no-output')
    await ping('', 'end')
    await ping('/fail')
    expect(await why()).toBe('gone')
  })

  test('when no good run is in the log, or none with an output', async () => {
    await ping('/fail', 'disk full')
    expect(await why()).toBe('no-good-run')
    await ping('')
    await ping('/fail', 'disk full')
    expect(await why()).toBe('no-good-output')
  })

  test('when it is no text', async () => {
    await ping('', 'end')
    await ping('/fail', 'a\0b')
    expect(await why()).toBe('no-text')
  })
})

test('readers see nothing of it that would allow pings', async () => {
  const url = `${t.app.deps.site.links.pingEndpoint}${check.id}`
  await ping('', 'begin')
  await ping('/fail', `begin\ncurl ${url}`)
  expect(await newLines()).toEqual([`curl ${url}`])
  const reader = await getKeyActor(t.app.deps, t.keys.apiKeyReadonly, null)
  expect(JSON.stringify(await newLines(reader))).not.toContain(check.id)
})
