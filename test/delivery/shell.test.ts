/** The shell runner, and the effect of rendered commands in a real shell. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { createShellRunner } from '../../src/delivery/shell.ts'
import { shellTemplateProblem } from '../../src/transports/parts/shell-template.ts'
import { shell } from '../../src/transports/shell.ts'
import { aCheck } from '../support/builders.ts'
import { type Folder, temporaryFolder } from '../support/folder.ts'
import { withEnvironment } from '../support/with-environment.ts'
import { downAlert, HOSTILE, rendered } from '../transports/support.ts'

let home: Folder
beforeAll(() => {
  home = temporaryFolder()
})
afterAll(() => home.remove())

const PATH = '/usr/local/bin:/usr/bin:/bin'

function run(command: string, timeoutSeconds = 10) {
  return createShellRunner({ environment: { PATH, HOME: home.path }, timeoutSeconds }).run({ command })
}

const OUT = '> "$HOME/out"'
const isHarmed = () => Bun.file(home.file('pwned')).exists()
const written = () => readFileSync(home.file('out'), 'utf8')

describe('a command', () => {
  test.each([0, 1, 7, 255])('that exits with %i gives that status', async (status) => {
    expect(await run(`exit ${status}`)).toEqual({ kind: 'exited', status })
  })

  test('that does not exist exits with 127, like in a shell', async () => {
    expect(await run('no-such-command-anywhere')).toEqual({ kind: 'exited', status: 127 })
  })

  test('that is killed has no status', async () => {
    expect(await run('kill -TERM $$')).toEqual({ kind: 'aborted', error: 'Command was killed by SIGTERM' })
  })

  test('gets the given environment and nothing of ours', async () => {
    using _env = withEnvironment({ OVERDUE_TEST_SECRET: 'secret' })
    await run(`env ${OUT}`)
    const names = written()
      .trimEnd()
      .split('\n')
      .map((line) => line.split('=')[0])
    // The shell adds some of its own.
    expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? '')).sort()).toEqual([
      'HOME',
      'PATH',
    ])
  })

  test('gets no input, and may write any amount', async () => {
    expect(await run('test -z "$(cat)" && yes | head -c 10000000')).toEqual({ kind: 'exited', status: 0 })
  })

  test.each([
    ['with a NUL', 'a\0b', 'ERR_INVALID_ARG_VALUE'],
    ['longer than the system takes', ` ${'x'.repeat(300_000)}`, 'E2BIG'],
  ])('%s cannot be started, and nothing is thrown', async (_, command, code) => {
    expect(await run(command)).toEqual({ kind: 'aborted', error: `Command could not be started (${code})` })
  })

  test('that leaves a process running is not waited for', async () => {
    expect(await run(`sleep 60 & echo $! ${OUT}`)).toEqual({ kind: 'exited', status: 0 })
    process.kill(Number(written()))
  })

  test('that takes too long is killed with everything it has started', async () => {
    Bun.spawnSync(['mkfifo', home.file('fifo')])
    const alive = Bun.file(home.file('fifo')).text()
    const answer = await run('exec 3> "$HOME/fifo"; echo started >&3; sleep 600 & (sleep 600; :) & wait', 0.5)
    expect(answer).toEqual({ kind: 'aborted', error: 'Command did not finish within 0.5 seconds' })
    // The pipe ends when no process is left that could write to it.
    expect(await alive).toBe('started\n')
  })
})

test('closing kills running commands', async () => {
  Bun.spawnSync(['mkfifo', home.file('closing')])
  const runner = createShellRunner({ environment: { PATH, HOME: home.path } })
  const pipe = Bun.file(home.file('closing')).stream().getReader()
  const answer = runner.run({ command: 'exec 3> "$HOME/closing"; echo started >&3; sleep 600 & wait' })
  expect(new TextDecoder().decode((await pipe.read()).value)).toBe('started\n')
  runner.close()
  expect(await answer).toEqual({ kind: 'aborted', error: 'Command was killed by SIGKILL' })
  expect((await pipe.read()).done).toBeTrue()
  expect(await runner.run({ command: 'exit 0' })).toEqual({ kind: 'exited', status: 0 })
})

describe('a rendered command', () => {
  function commandFrom(template: string, name: string, tags = ''): string {
    const alert = downAlert({ check: aCheck({ status: 'down', name, tags }), operator: { SHELL_ENABLED: 'True' } })
    return rendered(shell, { cmd_down: template, cmd_up: '' }, alert).command
  }

  /** Returns the arguments of a command with this template. */
  async function argumentsOf(template: string, name: string, tags = '') {
    expect(await run(commandFrom(`printf '%s\\0' ${template} ${OUT}`, name, tags))).toEqual({
      kind: 'exited',
      status: 0,
    })
    return written().split('\0').slice(0, -1)
  }

  test('passes each placeholder as one argument', async () => {
    const template = '$STATUS $NAME $TAGS $TAG1 --tag=$TAG2'
    expect(await argumentsOf(template, 'Nightly backup', 'prod db')).toEqual([
      'down',
      'Nightly backup',
      'prod db',
      'prod',
      '--tag=db',
    ])
  })

  const EVIL = [
    HOSTILE.replaceAll('\0', ''),
    '$(touch "$HOME/pwned")',
    '`touch "$HOME/pwned"`',
    '\'; touch "$HOME/pwned"; \'',
    '"; touch "$HOME/pwned"; "',
    '\\\'; touch "$HOME/pwned" #',
    '\ntouch "$HOME/pwned"\n',
    '\nEOF\ntouch "$HOME/pwned"\n',
    `-n \${PATH} $PATH ~ * ? [a-z] !! | & ; < > ( ) { } # \\`,
    '$NAME $TAG1 $overdue_name',
    '',
  ]

  test.each(EVIL)('passes %j unchanged, unquoted, in either kind of quotes and in a substitution', async (name) => {
    const template = `$NAME "<$NAME>" '<$NAME>' a$NAME"b" "$(printf %sx "$NAME")" "$(printf "<%s>" "$NAME")"`
    const inner = await argumentsOf(template, name)
    expect(inner).toEqual([name, `<${name}>`, `<${name}>`, `a${name}b`, `${name}x`, `<${name}>`])
    expect(await isHarmed()).toBeFalse()
  })

  // /bin/sh is bash on some systems, and dash on others.
  describe.each(['/bin/sh', 'bash'])('in %s', (program) => {
    const runIn = (command: string) =>
      Bun.spawnSync([program, '-c', command], { env: { PATH, HOME: home.path }, stdin: 'ignore', stderr: 'ignore' })

    const NESTED = [
      ['"$(printf "<%s>" "$NAME")"', (name: string) => `<${name}>`],
      ['"$(printf %s. $NAME)"', (name: string) => `${name}.`],
      [`"$(printf %s. '$NAME')"`, (name: string) => `${name}.`],
      ['"a$(printf "%s." "b$(printf "<%s>" "$NAME")")c"', (name: string) => `ab<${name}>.c`],
      ['"$( (printf %s. "$NAME") )"', (name: string) => `${name}.`],
      [`"\${HOME+x}$NAME"`, (name: string) => `x${name}`],
      ['"$(: # don\'t (\nprintf "<%s>" "$NAME")"', (name: string) => `<${name}>`],
    ] as const

    test.each(NESTED)('%j is one argument, whatever the name', (template, expected) => {
      for (const name of EVIL) {
        const { exitCode, stdout } = runIn(commandFrom(`printf '%s\\0' ${template}`, name))
        expect([exitCode, stdout.toString()]).toEqual([0, `${expected(name)}\0`])
      }
    })

    const AROUND = [
      ['"', '"'],
      ["'", "'"],
      ['$(', ')'],
      ['`', '`'],
      ['$((', '))'],
      ['echo "$(', ')"'],
      ['printf %d ', ''],
      ['x=', ''],
      ['((', '))'],
      ['[[ ', ' -gt 1 ]]'],
      ['[ ', ' -gt 1 ]'],
      ['let ', ''],
      ['$[', ']'],
      ['a[', ']=1'],
      [`\${x:`, '}'],
      [`\${x:-`, '}'],
      ['cat <<E\n', '\nE\n'],
      ["cat <<'E'\n", '\nE\n'],
      ['case x in ', ') ;; esac'],
      ['# ', '\n'],
      ['\\', ''],
    ] as const

    test('no accepted command runs what a name or a tag says, however deep it is nested', async () => {
      const evil = fc.constantFrom('a[$(touch "$HOME/pwned")]', '$(touch "$HOME/pwned")', '`touch "$HOME/pwned"`')
      const around = fc.array(fc.constantFrom(...AROUND), { minLength: 1, maxLength: 4 })
      const templates = around.map((pairs) =>
        pairs.reduce((inner, [before, after]) => `${before}${inner}${after}`, '$NAME'),
      )
      const property = fc.asyncProperty(templates, evil, async (template, name) => {
        fc.pre(shellTemplateProblem(template) === null)
        rmSync(home.file('pwned'), { force: true })
        runIn(commandFrom(template, name))
        expect(await isHarmed()).toBeFalse()
      })
      await fc.assert(property, { numRuns: 60 })
    })
  })

  const PLACES = [
    'true # $NAME',
    'true "$(printf %s $NAME)"',
    'true $$NAME',
    'true \\$NAME',
    "# don't\ntrue $NAME",
    'case $NAME in x) ;; esac',
    'x=$NAME true',
  ]

  test.each(PLACES)('runs nothing that a name says, wherever the name is: %j', async (template) => {
    for (const name of EVIL) {
      await run(commandFrom(template, name))
      expect([name, await isHarmed()]).toEqual([name, false])
    }
  })

  test('passes any name', async () => {
    const names = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 40 }))
    const property = fc.asyncProperty(names, async (name) => {
      const text = name.toWellFormed().replaceAll('\0', '')
      expect(await argumentsOf(`$NAME "$NAME" '$NAME'`, name)).toEqual([text, text, text])
    })
    await fc.assert(property, { numRuns: 100 })
  })
})
