/** `overdue channel test` against a receiver on this machine: a group, and what is refused. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { webhook } from '../support/store-builders.ts'
import { type Folder, folder, run } from './support.ts'

let place: Folder
let receiver: ReturnType<typeof Bun.serve>
beforeEach(() => {
  place = folder()
  const answer = (path: string) => new Response(null, { status: path === '/two' ? 503 : 200 })
  receiver = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: ({ url }) => answer(new URL(url).pathname) })
})
afterEach(async () => {
  await receiver.stop(true)
  place.remove()
})

const overdue = (...words: string[]) => run(words, { DATABASE_URL: place.url, INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' })

async function create(kind: string, name: string, settings: unknown): Promise<string> {
  const of = ['--project', 'P', '--kind', kind, '--name', name, '--settings', JSON.stringify(settings)]
  const { out, err } = await overdue('channel', 'create', '--json', ...of)
  expect(err).toBe('')
  return JSON.parse(out).id
}

test('a group is tested member by member, and one failure is a failure', async () => {
  await overdue('project', 'create', 'P')
  const one = await create('webhook', 'one', webhook(`${receiver.url}one`))
  const two = await create('webhook', 'two', webhook(`${receiver.url}two`))
  await create('group', 'both', `${one},${two}`)
  await create('group', 'good', one)
  const both = await overdue('channel', 'test', 'both', '--project', 'P')
  expect(both).toEqual({
    code: 1,
    out: [
      `${one}  webhook  one  accepted by the receiver`,
      `${two}  webhook  two  failed: Received status code 503`,
      '1 of 2 accepted the message',
      '',
    ].join('\n'),
    err: '',
  })
  const good = await overdue('channel', 'test', 'good', '--project', 'P', '--json')
  expect(good.code).toBe(0)
  expect(JSON.parse(good.out)).toMatchObject({
    name: 'good',
    members: [{ id: one, name: 'one', kind: 'webhook', error: null }],
  })
})

test('a receiver on a private address is refused with the setting that allows it, in words only', async () => {
  await overdue('project', 'create', 'P')
  const one = await create('webhook', 'one', webhook(`${receiver.url}one`))
  await create('group', 'both', one)
  const strict = (...words: string[]) => run([...words, '--project', 'P'], { DATABASE_URL: place.url })
  const error = 'Connections to private IP addresses are not allowed'
  const advice = /\n→ .*INTEGRATIONS_ALLOW_PRIVATE_IPS=True.*docs\/settings\.md\n$/
  const tested = await strict('channel', 'test', 'one')
  expect(tested.code).toBe(1)
  expect(tested.out).toStartWith(`failed: ${error}\n→ `)
  expect(tested.out).toMatch(advice)
  expect((await strict('channel', 'test', 'both')).out).toMatch(advice)
  expect((await strict('channel', 'list')).out).toMatch(advice)
  expect(JSON.parse((await strict('channel', 'test', 'one', '--json')).out).error).toBe(error)
  await overdue('channel', 'test', 'one', '--project', 'P')
  expect((await strict('channel', 'list')).out).not.toContain('→')
})
