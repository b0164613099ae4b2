/**
 * Recognizes bash constructs that other shells interpret differently or reject. All constructs were tested with dash 0.5.12, BusyBox 1.35,
 * ksh 93u+m, mksh 59 and zsh 5.9.
 */
import type { Cover } from './hidden-status.ts'
import { withoutOpeners } from './job-name.ts'
import { FIRST_OF_PIPE } from './list-status.ts'
import type { ShellCommand } from './shell-commands.ts'

/** Matches names of shells that are usually dash. `sh` is dash on Debian and Ubuntu, and bash on other systems. */
const DASH = /^(?:sh|dash)$/
/** Matches Almquist shells: dash, and the BusyBox shell. */
const ALMQUIST = /^(?:sh|dash|ash)$/
const KORN = /^m?ksh$/

interface ForeignForm {
  readonly cover: Extract<Cover, 'ampersand' | 'coprocess' | 'refused' | 'untrue' | 'unread'>
  readonly what: string
}

/** @param shell name of the shell that executes the line */
export function* foreignForms(commands: readonly ShellCommand[], shell: string): Generator<ForeignForm> {
  for (const command of commands) {
    yield* foreignRedirections(command, shell)
    yield* foreignWords(command, shell)
    if (command.after === '|&' && KORN.test(shell)) yield { cover: 'coprocess', what: '|&' }
    if (command.after === '|&' && ALMQUIST.test(shell)) yield refused('|&')
    if (command.substitutions.some(({ isValue }) => !isValue) && /^(?:sh|dash|mksh)$/.test(shell)) yield refused('<(…)')
  }
}

const refused = (what: string): ForeignForm => ({ cover: 'refused', what })

function* foreignRedirections({ redirections }: ShellCommand, shell: string): Generator<ForeignForm> {
  for (const { operator, target } of redirections) {
    if (/^&>>?$/.test(operator) && DASH.test(shell)) yield { cover: 'ampersand', what: operator }
    const isFile = operator === '>&' && !/^(?:\d+-?|-|)$/.test(target) && !/[$`]/.test(target)
    if (isFile && (DASH.test(shell) || KORN.test(shell))) yield refused('>& FILE')
    if (operator === '<<<' && ALMQUIST.test(shell)) yield refused('<<<')
  }
}

function* foreignWords({ words, after }: ShellCommand, shell: string): Generator<ForeignForm> {
  const [program = '', ...args] = withoutOpeners(words)
  if (program === '((' && ALMQUIST.test(shell)) yield { cover: 'untrue', what: '((…))' }
  if (after === '(' && /^\w+\+?=$/.test(words.at(-1) ?? '') && ALMQUIST.test(shell)) yield refused('NAME=(…)')
  if (args.includes(FIRST_OF_PIPE) && ALMQUIST.test(shell)) yield refused('PIPESTATUS')
  const isEqual = /^(?:test|\[)$/.test(program) && args.includes('==')
  if (isEqual && (DASH.test(shell) || shell === 'zsh')) yield { cover: 'untrue', what: '==' }
  if (!DASH.test(shell)) return
  if (program === '[[') yield { cover: 'untrue', what: '[[ … ]]' }
  if (program === 'source') yield { cover: 'unread', what: 'source' }
  if (program === 'function') yield refused('function')
  if (program === 'set' && args.includes('pipefail')) yield refused('set -o pipefail')
}
