/** Commands run by the real client in a process of its own, as a job runs them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { PING_KEY, type Place, place } from './support.ts'

let at: Place
beforeAll(() => {
  at = place()
})
afterAll(() => at.close())

const whats = (ran: { told: readonly { what: string }[] }) => ran.told.map(({ what }) => what)
const last = (ran: { told: readonly { body: string }[] }) => ran.told.at(-1)?.body

test('a run is told by its start, its end and its output, under one id', async () => {
  const ran = await at.sh('run -- echo done')
  expect(ran).toMatchObject({ status: 0, out: 'done\n', err: '' })
  expect(whats(ran)).toEqual(['backup/start', 'backup/0'])
  expect(last(ran)).toBe('done\n')
  const [start, end] = ran.told.map(({ query }) => query.get('rid'))
  expect(start).toMatch(/^[0-9a-f-]{36}$/)
  expect(end).toBe(start)
})

test('a long output of a short command is sent as long as the server keeps it', async () => {
  const strict = place(500)
  const ran = await strict.sh('run -- seq 1 100000')
  await strict.close()
  expect(last(ran)?.length).toBeLessThanOrEqual(500)
  expect(last(ran)).toEndWith('99999\n100000\n')
})

test.each([1, 2, 124, 127, 255])('exit status %d is the client’s, and the end’s', async (status) => {
  const ran = await at.sh(`run -- sh -c 'exit ${status}'`)
  expect([ran.status, ...whats(ran)]).toEqual([status, 'backup/start', `backup/${status}`])
})

test.each(['TERM', 'KILL', 'SEGV', 'PIPE', 'USR1'])(
  'a command killed by SIG%s looks so to its caller and to the server',
  async (name) => {
    const without = await at.sh(`ulimit -c 0; sh -c 'kill -${name} $$'`)
    const ran = await at.sh(`ulimit -c 0; run -- sh -c 'kill -${name} $$'`)
    expect(ran.status).toBe(without.status)
    expect(whats(ran)).toEqual(['backup/start', 'backup/fail'])
    expect(last(ran)).toBe(`overdue run: the command was killed by SIG${name}\n`)
  },
)

test('several checks are told each, and a check may be created', async () => {
  const ran = await at.sh('run --check other --create "0 3 * * *" --tz Europe/Riga --grace 1h -- true')
  expect(whats(ran).toSorted()).toEqual(['backup/0', 'backup/start', 'other/0', 'other/start'])
  for (const { query } of ran.told) {
    expect(Object.fromEntries(query)).toMatchObject({
      create: '1',
      schedule: '0 3 * * *',
      tz: 'Europe/Riga',
      grace: '1h',
    })
  }
})

describe('a command', () => {
  test('that is not found, or cannot be executed, ends as in a shell, and the server is told', async () => {
    const missing = await at.sh('run -- no-such-command x')
    expect(missing).toMatchObject({ status: 127, err: 'overdue run: command not found: no-such-command\n' })
    expect([...whats(missing), last(missing)]).toEqual(['backup/start', 'backup/127', missing.err])
    const folder = await at.sh('run -- /tmp')
    expect([folder.status, ...whats(folder)]).toEqual([126, 'backup/start', 'backup/126'])
  })

  test('that is a script without an interpreter is run by the shell', async () => {
    const script = at.folder.file('script')
    writeFileSync(script, 'echo "in a shell: $1"\n', { mode: 0o755 })
    expect(await at.sh(`run -- ${script} 'a  b'`)).toMatchObject({ status: 0, out: 'in a shell: a  b\n' })
  })

  test('gets its words, its environment and its input unchanged', async () => {
    const ran = await at.sh(
      `export HOSTILE=$'a\\nb\\xff'; printf 'in\\0put' | run -- sh -c 'printf "%s|" "$@" "$HOSTILE"; cat' x '' '$HOME *' -- --check`,
    )
    expect(ran.out).toBe(Buffer.from('|$HOME *|--|--check|a\nb\xff|in\0put', 'latin1').toString())
  })

  test('can open its output and its errors by name, which it could not if they were sockets', async () => {
    const ran = await at.sh(`run -- sh -c 'echo out > /dev/stdout; echo err > /dev/stderr'`)
    expect(ran).toMatchObject({ status: 0, out: 'out\n', err: 'err\n' })
  })

  test('whose output and errors go to one place keeps their order, and so does the server', async () => {
    const ran = await at.sh(`run -- sh -c 'for n in 1 2 3 4 5 6 7 8 9; do echo out$n; echo err$n >&2; done' 2>&1`)
    const lines = Array.from({ length: 9 }, (_, n) => `out${n + 1}\nerr${n + 1}\n`).join('')
    expect([ran.out, last(ran)]).toEqual([lines, lines])
  })

  test('whose reader has gone ends as without the client', async () => {
    const ran = await at.sh(`run -- yes | head -1; echo "\${PIPESTATUS[0]}"`)
    expect(ran.out).toBe('y\n141\n')
    expect(last(ran)).toEndWith('the command was killed by SIGPIPE\n')
  })

  test('goes on when its output cannot be written, or is closed', async () => {
    const ran = await at.sh(`run -- sh -c 'seq 1 100000; echo end >&2' > /dev/full`)
    expect(ran).toMatchObject({ status: 0, err: 'end\n' })
    expect(await at.sh(`run -- sh -c 'echo x; exit 3' >&- 2>&- <&-`)).toMatchObject({ status: 3 })
  })

  test('that leaves another process behind, which holds its output, ends, and the other’s output arrives', async () => {
    const ran = await at.sh(
      `run -- sh -c '(while ! test -e ${at.folder.file('go')}; do sleep 0.05; done; echo late) & echo soon'; touch ${at.folder.file('go')}`,
    )
    expect(ran).toMatchObject({ status: 0, out: 'soon\nlate\n' })
    expect(last(ran)).toBe('soon\n')
  })

  test('keeps ignoring the signals that its caller ignores', async () => {
    const ran = await at.sh(`trap '' HUP INT; run -- sh -c 'kill -HUP $$; kill -INT $$; echo alive'`)
    expect(ran).toMatchObject({ status: 0, out: 'alive\n' })
  })

  test('leaves the output of its caller as it is for the next program: it blocks', async () => {
    const flags = `grep flags /proc/self/fdinfo/1 >&2`
    const ran = await at.sh(`(${flags}; run -- echo x; ${flags}) | cat`)
    const [before, after] = ran.err.trim().split('\n')
    expect(after).toBe(before ?? '')
  })
})

describe('a signal', () => {
  test.each(['TERM', 'HUP', 'USR1', 'USR2', 'INT', 'QUIT'])(
    'SIG%s is passed on, and what the command makes of it is told',
    async (name) => {
      const command = `trap "echo got; exit 7" ${name}; echo ready; while :; do sleep 0.05; done`
      const ran = await at.sh(
        `coproc exec $PROGRAM run --check backup -- sh -c '${command}'; exec 3<&"\${COPROC[0]}"; read -r line <&3; pid=$COPROC_PID; kill -${name} $pid; cat <&3; wait $pid`,
      )
      expect([ran.out, ran.status, ...whats(ran)]).toEqual(['got\n', 7, 'backup/start', 'backup/7'])
    },
  )
})

describe('--timeout', () => {
  test('stops the command and what it started, as timeout does', async () => {
    const ran = await at.sh(`run --timeout 1 -- sh -c 'sleep 60; echo never'`)
    expect([ran.status, ran.out, ...whats(ran)]).toEqual([124, '', 'backup/start', 'backup/fail'])
    expect(last(ran)).toBe('overdue run: the command was stopped by SIGTERM after 1 s\n')
  })

  test('kills a command that does not end', async () => {
    const ran = await at.sh(
      `run --timeout 1 --kill-after 1 -- sh -c 'trap "" TERM; echo begun; while :; do sleep 60; done'`,
    )
    expect([ran.status, ran.out]).toEqual([137, 'begun\n'])
    expect(last(ran)).toBe('begun\noverdue run: the command was stopped by SIGKILL after 1 s\n')
  })

  test('changes nothing for a command that ends in time', async () => {
    expect((await at.sh('run --timeout 1h -- sh -c "exit 5"')).status).toBe(5)
  })
})

describe('what stays on this machine', () => {
  test('is the ping key, and what masks match; the output itself passes unchanged', async () => {
    const ran = await at.sh(`run --mask 'token=\\w+' -- echo "token=abc $OVERDUE_PING_KEY 12-34"`, {
      OVERDUE_MASK: '\\d+-\\d+',
    })
    expect([ran.out, last(ran)]).toEqual([`token=abc ${PING_KEY} 12-34\n`, '*** *** ***\n'])
  })

  test('is everything, if a mask is no regular expression: no command is run', async () => {
    const ran = await at.sh(`run --mask '(' -- echo done`)
    expect([ran.status, ran.out, ran.told]).toEqual([2, '', []])
    expect(ran.err).toContain('--mask: "("')
    expect(ran.err).toContain('No command was run')
  })
})

describe('a command is run', () => {
  test.each([
    ['no server is named', { OVERDUE_URL: '' }, 'OVERDUE_URL'],
    ['the address of the server is none', { OVERDUE_URL: 'nonsense' }, 'OVERDUE_URL'],
    ['the ping key is missing', { OVERDUE_PING_KEY: '' }, 'OVERDUE_PING_KEY'],
    ['the file of the ping key is missing', { OVERDUE_PING_KEY: '', OVERDUE_PING_KEY_FILE: '/none' }, '/none'],
  ])('although %s, with a warning', async (_, settings, word) => {
    const ran = await at.sh('run -- sh -c "echo done; exit 4"', settings)
    expect([ran.status, ran.out]).toEqual([4, 'done\n'])
    expect(ran.err).toContain(word)
  })

  test('although no check is named, with a warning', async () => {
    const ran = await at.sh('$PROGRAM run -- echo done')
    expect([ran.status, ran.out, ran.told]).toEqual([0, 'done\n', []])
    expect(ran.err).toContain('OVERDUE_CHECK')
  })

  test('although the server is away, and its pings wait for the next run', async () => {
    const away = { OVERDUE_URL: 'http://127.0.0.1:9', OVERDUE_SPOOL: at.folder.file('away') }
    const ran = await at.sh('run -- echo first', away)
    expect([ran.status, ran.out]).toEqual([0, 'first\n'])
    const flushed = await at.sh('$PROGRAM run --flush --json', away)
    expect([flushed.status, JSON.parse(flushed.out)]).toMatchObject([1, { delivered: 0, left: 2 }])
  })
})
