/** Texts of strangers cannot control a terminal, break lines or change the direction of writing; in JSON they are exact. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createChannel, listChannels } from '../../src/services/channels/channels.ts'
import { createProject } from '../../src/services/projects/projects.ts'
import { type Ran, run } from '../support/command-line.ts'
import { testDatabase } from '../support/databases.ts'
import type { TestDatabase } from '../support/opened-stores.ts'
import { only } from '../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../support/test-app.ts'

/** A text that clears the screen, ends the line, sends a C1 control sequence, and changes the direction of writing. */
const HOSTILE = '\u001b[2Jevil\r\nEND\u009b1m\u202etxt\u2066\tx'
const SHOWN = '[2Jevil END1mtxt x'

let place: TestDatabase
let t: TestApp
beforeAll(async () => {
  place = await testDatabase()
  t = await testApp({ env: { DATABASE_URL: place.url } })
  const { deps } = t.app
  await createProject(deps, `${HOSTILE} 2`)
  const url = 'https://zulip.test'
  const settings = { site: url, bot_email: 'a@zulip.test', api_key: 'x', mtype: 'stream', to: 'x' }
  await createChannel(deps, t.actor, { kind: 'zulip', name: HOSTILE, settings })
  await createChannel(deps, t.actor, {
    kind: 'email',
    name: HOSTILE,
    settings: { value: 'a@b.test', report: 'daily' },
  })
  t.answerWith(answered(400, {}, JSON.stringify({ msg: HOSTILE })))
  const json = { name: HOSTILE, channels: '*' }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  await t.call('GET', `/ping/${uuid}/fail`)
  await t.app.settle('deliveries')
  const [first] = await listChannels(deps, t.actor)
  await deps.store.channels.change(first?.id ?? '', (channel) => ({ channel: { ...channel, disabledReason: HOSTILE } }))
})
afterAll(async () => {
  await t.close()
  await place.remove()
})

const overdue = (...words: string[]): Promise<Ran> => run(words, { DATABASE_URL: place.url, EMAIL_HOST: 'mail.test' })

test.each([
  ['delivery list', ['delivery', 'list', '--project', 'Tests'], 3],
  ['channel list', ['channel', 'list', '--project', 'Tests'], 3],
  ['report list', ['report', 'list', '--project', 'Tests'], 2],
  ['report show', ['report', 'show', '--project', 'Tests', '--period', 'daily'], 5],
  ['project list', ['project', 'list'], 3],
  ['status', ['status', '--project', 'Tests'], 7],
  ['log', ['log', '--project', 'Tests'], 2],
  ['check list', ['check', 'list', '--project', 'Tests'], 2],
  ['search', ['search', 'txt'], 7],
  ['project set', ['project', 'set', `${HOSTILE} 2`, '--ping-log-limit', '5'], 1],
])('%s prints it in its cell', async (name, words, lines) => {
  const { code, out, err } = await overdue(...words)
  // The check is down.
  expect([code, err]).toEqual([name === 'status' ? 1 : 0, ''])
  expect(out.trimEnd().split('\n')).toHaveLength(lines)
  expect(out).toContain(SHOWN)
  expect(out).not.toMatch(/(?!\n)[\p{Cc}\u202e\u2066]/u)
})

test('an error with it is one line, and so is the hint', async () => {
  const { code, out, err } = await overdue('channel', 'delete', HOSTILE, '--project', `${HOSTILE} 2`)
  expect([code, out]).toEqual([1, ''])
  expect(err).toBe(
    `project "${SHOWN} 2" has no channel "${SHOWN}"\n→ see \`overdue channel list --project "${SHOWN} 2"\`\n`,
  )
})

test('JSON has every character of it', async () => {
  const { out } = await overdue('project', 'list', '--json')
  expect(JSON.parse(out).map(({ name }: { name: string }) => name)).toContain(`${HOSTILE} 2`)
  const [line] = out.trimEnd().split('\n')
  expect(line).toBe(out.trimEnd())
})

test('an answer of a receiver is kept as one line', async () => {
  const zulip = only((await listChannels(t.app.deps, t.actor)).filter(({ kind }) => kind === 'zulip'))
  expect(zulip.lastError).toBe(`Received status code 400 with a message: "${SHOWN}"`)
})
