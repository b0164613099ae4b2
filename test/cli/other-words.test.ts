/** Commands of other programs, and the commands of this one that users mean. */
import { expect, test } from 'bun:test'
import { inOtherWords, OTHER_WORDS } from '../../src/cli/other-words.ts'
import { run } from '../support/command-line.ts'

const help: readonly { readonly command: string }[] = JSON.parse((await run(['help', '--json'])).out)
const known = new Set(help.map(({ command }) => command))

test.each([
  ['ls', 'check list'],
  ['list', 'check list'],
  ['ps', 'check list'],
  ['rm', 'check delete'],
  ['rm backup', 'check delete'],
  ['add', 'check create'],
  ['new', 'check create'],
  ['create', 'check create'],
  ['show', 'check show'],
  ['ack', 'incident take'],
  ['incident ack', 'incident take'],
  ['outages', 'incident list'],
  ['mute', 'silence create'],
  ['unmute', 'silence end'],
  ['silence add', 'silence create'],
  ['silence rm', 'silence end'],
  ['stop', 'check pause'],
  ['start', 'serve'],
  ['healthcheck', 'health'],
  ['logs', 'log'],
  ['tail', 'log'],
  ['LOGS', 'log'],
  ['grep', 'search'],
  ['st', 'status'],
  ['users', 'account list'],
  ['add user', 'account create'],
  ['user rm', 'account delete'],
  ['createsuperuser', 'account create'],
  ['alerts', 'delivery list'],
  ['integrations ls', 'channel list'],
  ['monitor add', 'check create'],
  ['checks rm', 'check delete'],
  ['check ls', 'check list'],
  ['key rm', 'key revoke'],
  ['token new', 'key create'],
  ['project rm', 'project delete'],
  ['project member rm', 'project member remove'],
  ['member add', 'project member add'],
  ['crontab', 'import crontab'],
])('%s means %s', (typed, meant) => {
  expect(inOtherWords(known, typed.split(' '))).toBe(meant)
})

test.each(['frobnicate', 'constructor', '__proto__', '', 'toString rm'])('%p means nothing', (typed) => {
  expect(inOtherWords(known, typed.split(' '))).toBeNull()
})

test('each word stands for a command that exists, and is none itself', () => {
  for (const [meant, typed] of OTHER_WORDS.COMMANDS) {
    expect(known).toContain(meant)
    for (const word of typed.split(' ')) {
      expect(known).not.toContain(word)
      expect(inOtherWords(known, [word])).toBe(meant)
    }
  }
  for (const [noun, typed] of OTHER_WORDS.NOUNS) {
    for (const word of typed.split(' ')) expect(inOtherWords(known, [word])).toBe(`${noun} list`)
  }
  const ends = new Set([...known].map((command) => command.split(' ').at(-1)))
  for (const [verb] of OTHER_WORDS.VERBS) expect(ends).toContain(verb)
})

test('the error names the command', async () => {
  const { code, out, err } = await run(['ls'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toBe('unknown command "ls"\n→ did you mean `overdue check list`? Otherwise see `overdue --help`\n')
})
