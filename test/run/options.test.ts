import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { isRun } from '../../src/run/is-run.ts'
import { readOptions, UsageError } from '../../src/run/options.ts'
import { masksOf, readSettings, targetsOf } from '../../src/run/settings.ts'
import { temporaryFolder } from '../support/folder.ts'

const UUID = '0a3cf0d5-6a52-4a35-9df2-1f6b1c8a2c11'

function runOf(...words: readonly string[]) {
  const request = readOptions(words)
  if ('flush' in request) throw new Error('it is no run')
  return request.run
}

describe('the words after overdue run', () => {
  test('are options, then -- and the command with its own options', () => {
    const words = ['--check', 'a', '--check=b', '--create', '0 3 * * *', '--tz', 'Europe/Riga', '--grace', '1h']
    const run = runOf(...words, '--mask', 'x+', '--timeout', '1h30m', '--', 'tar', '--check', '--', 'x')
    expect(run).toMatchObject({
      checks: ['a', 'b'],
      create: { schedule: '0 3 * * *', tz: 'Europe/Riga', grace: '1h' },
      timeout: 5_400_000,
      killAfter: 10_000,
      command: ['tar', '--check', '--', 'x'],
    })
    expect(run.masks.map(String)).toEqual(['/x+/g'])
  })

  test.each([
    [['--check', 'a'], 'the command is missing'],
    [['--check', 'a', '--'], 'the command is missing'],
    [['backup.sh'], 'unexpected word "backup.sh": write -- before the command'],
    [['--chek', 'a', '--', 'x'], "Unknown option '--chek'"],
    [['--tz', 'UTC', '--', 'x'], '--tz needs --create'],
    [['--grace', '1h', '--', 'x'], '--grace needs --create'],
    [['--kill-after', '1', '--', 'x'], '--kill-after needs --timeout'],
    [['--timeout', 'soon', '--', 'x'], '--timeout: "soon" is not a duration'],
    [['--timeout', '0', '--', 'x'], '--timeout: "0" is not a duration'],
    [['--timeout', '25d', '--', 'x'], '--timeout: "25d" is not a duration'],
    [['--mask', '(', '--', 'x'], '--mask: "(" is not a JavaScript regular expression'],
    [['--flush', '--', 'x'], '--flush runs no command'],
    [['--json', '--', 'x'], '--json needs --flush'],
  ])('%j are refused: %s', (words, message) => {
    expect(() => readOptions(words)).toThrow(UsageError)
    expect(() => readOptions(words)).toThrow(message)
  })

  test('may be --flush alone, also for programs', () => {
    expect(readOptions(['--flush'])).toEqual({ flush: { isJson: false } })
    expect(readOptions(['--flush', '--json'])).toEqual({ flush: { isJson: true } })
  })

  test.each([
    ['90', 90],
    ['5m', 300],
    ['1d 12h', 129_600],
    ['1w', 604_800],
  ])('a duration of %s is %d seconds', (text, seconds) => {
    expect(runOf('--timeout', text, '--', 'x').timeout).toBe(seconds * 1000)
  })
})

test('the program hands over all that begins with run, but not the request for its help', () => {
  expect(isRun(['run', '--check', 'a', '--', 'tar', '--help'])).toBe(true)
  expect(isRun(['run'])).toBe(true)
  expect([isRun(['run', '--help']), isRun(['run', '-h']), isRun(['help', 'run']), isRun([])]).toEqual(
    Array(4).fill(false),
  )
})

describe('the environment', () => {
  test('has the server, the ping key and the spool', () => {
    const settings = { OVERDUE_URL: ' https://o.example ', OVERDUE_PING_KEY: 'key\n', OVERDUE_SPOOL: '/s' }
    expect(readSettings(settings, true)).toEqual({
      server: { url: 'https://o.example', pingKey: 'key' },
      spool: '/s',
      problems: [],
    })
  })

  test('may name a file with the ping key; one that cannot be read is a problem, and nothing more', () => {
    const folder = temporaryFolder()
    const path = folder.file('key')
    writeFileSync(path, 'secret\n')
    expect(readSettings({ OVERDUE_PING_KEY_FILE: path }, false).server.pingKey).toBe('secret')
    folder.remove()
    const { server, problems } = readSettings({ OVERDUE_PING_KEY_FILE: path }, false)
    expect([server.pingKey, problems]).toEqual([null, [expect.stringContaining('OVERDUE_PING_KEY_FILE')]])
  })

  test.each([
    [{ XDG_STATE_HOME: '/x', HOME: '/h' }, false, '/x/overdue/spool'],
    [{ HOME: '/h' }, false, '/h/.local/state/overdue/spool'],
    [{ HOME: '/root', XDG_STATE_HOME: '/x' }, true, '/var/lib/overdue-run/spool'],
    [{}, false, null],
  ])('%j, as root: %p, has the spool %s', (environment, isRoot, spool) => {
    expect(readSettings(environment, isRoot).spool).toBe(spool)
  })

  test('names a check where no option does', () => {
    const none = runOf('--', 'x')
    expect(targetsOf(none, { OVERDUE_CHECK: 'backup' })).toEqual([{ kind: 'slug', slug: 'backup' }])
    expect(targetsOf(none, {})).toEqual([])
    const url = `https://o.example/ping/${UUID}`
    expect(targetsOf(runOf('--check', UUID.toUpperCase(), '--check', url, '--', 'x'), { OVERDUE_CHECK: 'a' })).toEqual([
      { kind: 'uuid', uuid: UUID },
      { kind: 'url', url },
    ])
  })

  test('has masks, one a line, and the ping key is one', () => {
    const run = runOf('--mask', 'a', '--', 'x')
    const server = { url: null, pingKey: 'k.y' }
    const masks = masksOf(run, { OVERDUE_MASK: 'b\n\nc d\n' }, server, [
      { kind: 'url', url: 'http://x/ping/Kb-_Z0-t1sAq6DdWXLgEJK/nap' },
    ])
    const text = 'a b c d k.y kay http://x/ping/Kb-_Z0-t1sAq6DdWXLgEJK/nap key=Kb-_Z0-t1sAq6DdWXLgEJK'
    expect(masks.reduce((left, mask) => left.replace(mask, '*'), text)).toBe('* * * * k*y * key=*')
    expect(() => masksOf(run, { OVERDUE_MASK: '(' }, server, [])).toThrow('OVERDUE_MASK: "("')
  })
})
