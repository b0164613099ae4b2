/** `overdue project member …` */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { run } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'

let place: TestDatabase
beforeAll(async () => {
  place = await testDatabase()
  await overdue('project', 'create', 'Backups')
  await overdue('account', 'create', 'jane@example.org', '--administrator')
})
afterAll(() => place.remove())

const overdue = (...words: string[]) => run(words, { DATABASE_URL: place.url })
const add = (email: string, ...options: string[]) => overdue('project', 'member', 'add', 'Backups', email, ...options)
const remove = (email: string) => overdue('project', 'member', 'remove', 'Backups', email)
const said = async (work: ReturnType<typeof overdue>) => {
  const { code, out, err } = await work
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out.trimEnd().split('\n')
}

const NO_OWNER = '→ the project has no owner: only administrators change it and its owners'

test('a member is added, gets other roles, and is removed, but never the only owner', async () => {
  expect(await said(add('Jane@example.org'))).toEqual(['jane@example.org is member of Backups', NO_OWNER])
  expect(await said(add('jane@example.org', '--role', 'owner'))).toEqual([
    'jane@example.org is owner of Backups, and was member',
  ])
  expect(await said(add('jane@example.org'))).toEqual(['jane@example.org is owner of Backups'])
})

test('the only owner stays', async () => {
  await add('jane@example.org', '--role', 'owner')
  const only = [
    '"jane@example.org" is the only owner of the project "Backups" who is not suspended; make another member an owner first',
    '→ use `overdue project member add "Backups" EMAIL --role owner`',
    '',
  ].join('\n')
  expect((await add('jane@example.org', '--role', 'read-only')).err).toBe(only)
  expect((await remove('jane@example.org')).err).toBe(only)
})

test('an owner goes while there is another one', async () => {
  await overdue('account', 'create', 'joe.owner@example.org')
  await add('joe.owner@example.org', '--role', 'owner')
  expect(await said(add('jane@example.org', '--role', 'read-only'))).toEqual([
    'jane@example.org is read-only of Backups, and was owner',
  ])
  expect(await said(remove('jane@example.org'))).toEqual(['jane@example.org is no longer read-only of Backups'])
  await overdue('account', 'delete', 'joe.owner@example.org', '--yes')
  expect(await said(overdue('account', 'list', '--json'))).toEqual([expect.stringContaining('"projects":[]')])
})

test('an invitation is a link that works once, for seven days', async () => {
  const [url, next] = await said(overdue('project', 'member', 'invite', 'Backups'))
  expect(url).toMatch(/^http:\/\/localhost:8000\/invitation\/[\w-]{43}$/)
  expect(next).toMatch(/^→ anyone who has it can join Backups as member; the link can be used once, until \d{4}-/)
  const { out } = await overdue('project', 'member', 'invite', 'Backups', '--role', 'owner', '--json')
  expect(JSON.parse(out)).toEqual({ url: expect.any(String), role: 'owner', expires_at: expect.any(String) })
})

test('members are listed by email with their roles', async () => {
  await overdue('account', 'create', 'ann@example.org')
  const added = JSON.parse((await add('jane@example.org', '--role', 'manager', '--json')).out)
  expect(added).toEqual({
    email: 'jane@example.org',
    role: 'manager',
    added: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
  })
  await add('ann@example.org')
  const [head, ...rows] = await said(overdue('project', 'member', 'list', 'Backups'))
  expect(head).toMatch(/^EMAIL +ROLE +ADDED$/)
  expect(rows.map((row) => row.split(/ +/).slice(0, 2))).toEqual([
    ['ann@example.org', 'member'],
    ['jane@example.org', 'manager'],
  ])
  const { out } = await overdue('project', 'member', 'list', 'Backups', '--json')
  expect(JSON.parse(out)).toEqual([expect.objectContaining({ email: 'ann@example.org', role: 'member' }), added])
  await Promise.all([remove('ann@example.org'), remove('jane@example.org')])
})

test.each([
  [['add', 'Backups', 'joe@example.org'], 1, 'there is no account of "joe@example.org"', 'overdue account list'],
  [['add', 'Nothing', 'jane@example.org'], 1, 'there is no project "Nothing"', 'overdue project list'],
  [
    ['add', 'Backups', 'jane@example.org', '--role', 'boss'],
    2,
    'unknown role "boss"',
    'owner, manager, member, read-only',
  ],
  [
    ['remove', 'Backups', 'jane@example.org'],
    1,
    '"jane@example.org" is not a member of the project "Backups"',
    'overdue project member list "Backups"',
  ],
  [
    ['remove', 'Backups', 'joe@example.org'],
    1,
    '"joe@example.org" is not a member of the project "Backups"',
    'overdue project member list "Backups"',
  ],
])('%j is refused with a hint', async (words, status, message, hint) => {
  const { code, out, err } = await overdue('project', 'member', ...words)
  expect({ code, out }).toEqual({ code: status, out: '' })
  expect(err).toStartWith(`${message}\n→ `)
  expect(err).toContain(hint)
})

test('a new project says how to give it an owner, in a command that works as it is printed', async () => {
  const name = "It's $HOME"
  const printed = (await said(overdue('project', 'create', name))).at(-1) ?? ''
  const [, command = ''] = /^The project has no owner until you add a member: `overdue (.+)`$/.exec(printed) ?? []
  const words = command.replace('EMAIL', 'jane@example.org')
  const split = await Bun.spawn(['sh', '-c', `printf '%s\\n' ${words}`]).stdout.text()
  expect(await said(overdue(...split.trimEnd().split('\n')))).toEqual([`jane@example.org is owner of ${name}`])
})

test('before the first account, a new project says who will own it', async () => {
  const empty = await testDatabase()
  const { out } = await run(['project', 'create', 'Backups'], { DATABASE_URL: empty.url })
  expect(out).toEndWith('\nThe project has no owner; the first account will own it.\n')
  await empty.remove()
})
