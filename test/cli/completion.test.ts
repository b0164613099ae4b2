/** The scripts of `overdue completion`, in real shells if installed. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../support/command-line.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

const scripts = new Map<string, string>()
beforeAll(async () => {
  for (const shell of SHELLS) scripts.set(shell, (await run(['completion', shell])).out)
})
const script = (shell: string) => scripts.get(shell) ?? ''

async function sh(shell: string, text: string, cwd?: string): Promise<string> {
  const child = Bun.spawn([shell, '-c', text], { stdout: 'pipe', stderr: 'pipe', ...(cwd ? { cwd } : {}) })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect(err).toBe('')
  return out
}

describe.skipIf(Bun.which('bash') === null)('bash', () => {
  /** Returns bash's completions of the last word. */
  async function offered(...words: string[]): Promise<string[]> {
    const typed = words.map((word) => `'${word}'`).join(' ')
    const call = `COMP_WORDS=(overdue ${typed}); COMP_CWORD=${words.length}; _overdue; printf '%s\\n' "\${COMPREPLY[@]}"`
    return (await sh('bash', `${script('bash')}\n${call}`)).split('\n').filter((line) => line !== '')
  }

  test.each([
    [['pro'], ['project']],
    [['ch'], ['check-config', 'check', 'channel']],
    [
      ['check', ''],
      ['list', 'show', 'create', 'pause', 'resume', 'delete', 'set'],
    ],
    [['check', 're'], ['resume']],
    [['project', 'm'], ['member']],
    [
      ['project', 'member', ''],
      ['add', 'invite', 'remove', 'list'],
    ],
    [
      ['project', 'member', 'add', 'Default', 'jane@example.org', '--role', ''],
      ['owner', 'manager', 'member', 'read-only'],
    ],
    [['project', 'member', 'add', '--r'], ['--role']],
    [['project', 'set', 'member', '--p'], ['--ping-log-limit']],
    [['delivery', 're'], ['retry']],
    [
      ['check', 'create', '--t'],
      ['--tags', '--timeout', '--tz'],
    ],
    [['backup', '--f'], ['--force']],
    [
      ['serve', '--'],
      ['--json', '--help'],
    ],
    [
      ['key', 'create', 'Default', '--kind', 'read'],
      ['read-write', 'read-only'],
    ],
    [
      ['delivery', 'list', '--project', 'P', '--state', ''],
      ['pending', 'sent', 'failed'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['help', 'che'],
      ['check-config', 'check'],
    ],
    [['project', 'create', 'x'], []],
    [['channel', 'list', '--project', '--'], []],
    [['nonsense', ''], []],
  ])('%j is completed', async (words, expected) => {
    expect((await offered(...words)).toSorted()).toEqual(expected.toSorted())
  })

  test('every command is offered, word by word', async () => {
    const help: { command: string }[] = JSON.parse((await run(['help', '--json'])).out)
    const following = (group: readonly string[]) => {
      const members = help.map(({ command }) => command.split(' ')).filter((words) => words.length > group.length)
      const inGroup = members.filter((words) => group.every((word, index) => words[index] === word))
      return [...new Set(inGroup.map((words) => words[group.length] ?? ''))].toSorted()
    }
    const walk = async (group: readonly string[]): Promise<void> => {
      const next = following(group)
      if (next.length === 0) return
      expect((await offered(...group, '')).toSorted()).toEqual(next)
      for (const word of next) await walk([...group, word])
    }
    await walk([])
  })

  test('the Tab key completes in an interactive shell', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'overdue-'))
    await Bun.write(join(folder, 'completion'), script('bash'))
    const typed = `PS1='ready>'; source ./completion; overdue() { echo "ran: $*"; }\n`
    let out = ''
    const child = Bun.spawn(['bash', '--norc', '--noprofile', '-i'], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', TERM: 'dumb', PS1: 'first>' },
      terminal: {
        cols: 200,
        rows: 24,
        data(terminal, bytes) {
          const before = out
          out += new TextDecoder().decode(bytes)
          const comes = (text: string) => out.includes(text) && !before.includes(text)
          if (comes('first>')) terminal.write(typed)
          if (comes('\nready>')) terminal.write('overdue delivery ret\t1a2b\nexit\n')
        },
      },
    })
    await child.exited
    expect(out).toContain('ran: delivery retry 1a2b')
    rmSync(folder, { recursive: true })
  })
})

test('the usage of a command names each of its options, in words with hyphens', async () => {
  const help: { command: string; usage: string }[] = JSON.parse((await run(['help', '--json'])).out)
  for (const { command, usage } of help) {
    const [, flags = ''] = new RegExp(`^ *"${command}"\\) flags="(.*?)"`, 'm').exec(script('bash')) ?? []
    const named = new Set(usage.match(/--[a-z-]+(?![\w-])/g))
    expect([command, ...named.add('--help')].toSorted()).toEqual([command, ...flags.split(' ')].toSorted())
  }
})

describe('zsh and fish', () => {
  test('have scripts with every command and option', async () => {
    const help: { command: string; usage: string }[] = JSON.parse((await run(['help', '--json'])).out)
    for (const { command, usage } of help) {
      const flags = usage.match(/--[a-z-]+/g) ?? []
      for (const flag of flags) {
        expect(script('zsh')).toContain(flag)
        expect(script('fish')).toContain(`-l ${flag.slice(2)}`)
      }
      expect(script('zsh')).toContain(`'${command}') _arguments `)
      for (const word of command.split(' ')) expect(script('fish')).toMatch(new RegExp(`-a '?(?:.* )?${word}\\b`))
    }
  })

  test.skipIf(Bun.which('zsh') === null)('zsh reads its script', async () => {
    await sh('zsh', `autoload -Uz compinit; compinit -D\n${script('zsh')}\nwhence _overdue >/dev/null`)
  })

  test.skipIf(Bun.which('fish') === null)('fish completes', async () => {
    const out = await sh('fish', `${script('fish')}\ncomplete -C 'overdue delivery re'`)
    expect(out).toStartWith('retry')
  })
})

test('an unknown shell is refused with the known ones', async () => {
  const { code, err } = await run(['completion', 'tcsh'])
  expect([code, err]).toEqual([2, 'unknown shell "tcsh"\n→ use one of: bash, zsh, fish\n'])
})
