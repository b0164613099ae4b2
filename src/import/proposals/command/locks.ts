/** Finds the lock that a command takes before its job, how long it waits for the lock, and how it ends if it does not get the lock. */
import type { Begun, Link } from './begun-command.ts'
import { lastComponent } from './plain-path.ts'
import { optionValue, readOptions } from './program-options.ts'
import { starterOf } from './starters/starters.ts'

export interface Lock {
  /** program that takes the lock; ` FD` is appended if the program locks an open file */
  readonly program: string
  /** how the command ends if another run has the lock; null if it waits for the other run */
  readonly ends: 'failure' | 'success' | null
  /** how long the command waits for the lock, as the text of an option; null if it does not wait, or waits forever */
  readonly wait: string | null
}

/** Returns the first lock that a command takes, or null if it takes none. */
export function lockOf(begun: Begun | null): Lock | null {
  if (begun === null) return null
  for (const link of begun.chain) {
    const read = Object.hasOwn(PROGRAMS, link.program) ? PROGRAMS[link.program]?.(link) : undefined
    if (read !== undefined) return { program: link.program, ...read }
  }
  return begun.kind === 'program' ? lockOnFile(begun.words) : null
}

/** Recognizes a lock on an open file, such as `flock -n 9`, which starts no program. */
function lockOnFile([program = '', ...words]: readonly string[]): Lock | null {
  if (lastComponent(program) !== 'flock' || !/^\d+$/.test(words.at(-1) ?? '')) return null
  const options = readOptions(words, starterOf('flock') ?? {})?.options ?? []
  return { program: 'flock FD', ...byFlock({ program, options, skipped: [] }) }
}

type ReadLock = Pick<Lock, 'ends' | 'wait'>

const ON_CONFLICT = { ends: 'failure', wait: null } as const

const PROGRAMS: Readonly<Record<string, (link: Link) => ReadLock>> = {
  flock: byFlock,
  lckdo: ({ options }) => {
    const wait = optionValue(options, /^-[esxqt]*W(.*)$/)
    if (wait === null && options.some((option) => /^-[esxqt]*w/.test(option))) return { ends: null, wait: null }
    return { ends: optionValue(options, /^-[wesxqt]*E(.*)$/) === '0' ? 'success' : 'failure', wait }
  },
  lockf: ({ options }) => {
    const wait = optionValue(options, /^-[knsw]*t(.*)$/)
    return { ends: wait === null ? null : 'failure', wait }
  },
  lockrun: ({ options }) => {
    if (options.some((option) => /^--wait$/.test(option))) return { ends: null, wait: null }
    return { ends: options.some((option) => option.endsWith('-quiet')) ? 'success' : 'failure', wait: null }
  },
  'run-one': () => ON_CONFLICT,
  setlock: ({ options }) => {
    const letters = options.join('').replaceAll('-', '')
    if (letters.lastIndexOf('n') <= letters.lastIndexOf('N')) return { ends: null, wait: null }
    return { ends: letters.lastIndexOf('x') > letters.lastIndexOf('X') ? 'success' : 'failure', wait: null }
  },
  'with-lock-ex': ({ options }) => {
    const letters = options.join('')
    return { ends: letters.includes('q') ? 'success' : letters.includes('f') ? 'failure' : null, wait: null }
  },
}

function byFlock({ options }: Link): ReadLock {
  const wait = optionValue(options, /^(?:-[sxeuonFv]*w|--(?:wait|timeout)(?:=|$))(.*)$/)
  const givesUp = options.some((option) => /^(?:-[sxeuoFv]*n|--nb$|--nonblock$)/.test(option))
  if (!givesUp && wait === null) return { ends: null, wait: null }
  const status = optionValue(options, /^(?:-[sxeuonFv]*E|--conflict-exit-code(?:=|$))(.*)$/)
  return { ends: status === '0' ? 'success' : 'failure', wait: givesUp ? null : wait }
}
