/**
 * Finds the command that another command starts, directly or through other programs. For example, `sudo -u app flock /tmp/lock bash -c 'cd
 * /x; ./y'` starts the line `cd /x; ./y`.
 */
import { isInterpreter, SHELLS } from './interpreters.ts'
import { lastComponent } from './plain-path.ts'
import { optionValue, readOptions } from './program-options.ts'
import type { Starter } from './starters/starter.ts'
import { starterOf } from './starters/starters.ts'

/** A program that starts another program. */
export interface Link {
  readonly program: string
  /** options with their values */
  readonly options: readonly string[]
  /** words between the options and the started program, such as a lock or a time */
  readonly skipped: readonly string[]
}

export type Begun = {
  /** the starting programs; each program starts the next one */
  readonly chain: readonly Link[]
  /** true if the command exits before the started command does */
  readonly isDetached: boolean
  /**
   * the container, pod or host where the started command runs, as named in the command; null if it runs in the same place as the command
   */
  readonly place: string | null
} & (
  | { readonly kind: 'program'; readonly words: readonly string[] }
  /** a line that a shell executes; `by` is the program that starts the shell */
  | { readonly kind: 'line'; readonly line: string; readonly by: string }
  /** an image to run in a container; the words after the image are arguments */
  | { readonly kind: 'image'; readonly image: string; readonly by: string }
)

/** `itself` means that the program is the job and starts no other program. */
type Step = Begun | (Pick<Begun, 'chain' | 'isDetached'> & { readonly kind: 'itself'; readonly place: null })

/** Maximum number of programs in one command that start each other. */
const STEPS_LIMIT = 20

/** @returns null if the words only assign variables */
export function begunBy(words: readonly string[]): Begun | null {
  let rest = withoutAssignments(words)
  if (rest.length === 0) return null
  let isDetached = false
  let place: string | null = null
  let chain: readonly Link[] = []
  for (let steps = 0; ; steps++) {
    const program = steps < STEPS_LIMIT ? lastComponent(rest[0] ?? '') : null
    const line = program === null ? null : lineOf(program, rest.slice(1))
    if (program !== null && line !== null) return { kind: 'line', line, by: program, isDetached, place, chain }
    const step = program === null ? null : begin(program, rest.slice(1))
    if (step === null) return { kind: 'program', words: rest, isDetached, place, chain }
    isDetached ||= step.isDetached
    place = step.place ?? place
    chain = [...chain, ...step.chain]
    if (step.kind === 'itself') return { kind: 'program', words: rest, isDetached, place, chain }
    if (step.kind !== 'program') return { ...step, isDetached, place, chain }
    rest = withoutAssignments(step.words)
    if (rest.length === 0) return { kind: 'program', words: [program ?? ''], isDetached, place, chain }
  }
}

function withoutAssignments(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word))
  return first < 0 ? [] : words.slice(first)
}

/** Returns the command that the program starts. Returns null if the program starts no command, or if its options are not known. */
function begin(program: string, words: readonly string[]): Step | null {
  let starter = starterOf(program === 'runuser' && words[0] === '-u' ? 'sudo' : program)
  let args = words
  let isDetached = false
  while (starter !== null) {
    if (starter.rest === 'nothing') return beginNothing(program, starter, args, isDetached)
    const found: Found | null = starter.behind ? findBehind(args, starter.behind) : readOptions(args, starter)
    if (found === null) return null
    isDetached ||= endsEarly(found.options, starter)
    if (starter.subcommands === undefined) return begunIn(program, starter, found, isDetached)
    const [subcommand = '', ...others] = found.rest
    starter = Object.hasOwn(starter.subcommands, subcommand) ? (starter.subcommands[subcommand] ?? null) : null
    args = others
  }
  return null
}

type Found = NonNullable<ReturnType<typeof readOptions>>

/** Splits the words before the started program. `--exec=x` counts as two words. */
function findBehind(words: readonly string[], behind: RegExp): Found | null {
  const separate = words.flatMap((word) => /^(--[a-z-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word])
  const at = separate.findIndex((word) => behind.test(word))
  if (at < 0) return null
  const end = separate.indexOf('--')
  const options = separate.slice(0, end < 0 ? separate.length : end).filter((word) => word.startsWith('-'))
  return { options, rest: separate.slice(at + 1) }
}

function endsEarly(options: readonly string[], { detaching, attaching }: Starter): boolean {
  if (attaching !== undefined) return !options.some((option) => attaching.test(option))
  return detaching !== undefined && options.some((option) => detaching.test(option))
}

function beginNothing(program: string, starter: Starter, args: readonly string[], wasDetached: boolean): Step {
  const isDetached = wasDetached || endsEarly(args, starter)
  const line = lineIn(args, starter)
  const common = { isDetached, place: null, chain: [] }
  return line === null ? { kind: 'itself', ...common } : { kind: 'line', line, by: program, ...common }
}

function begunIn(program: string, starter: Starter, { options, rest }: Found, wasDetached: boolean): Begun | null {
  if (starter.rest === 'image') return begunInImage(program, options, rest, wasDetached)
  const behind = rest.slice(starter.skip ?? 0)
  // Options may follow the skipped word, as in `kubectl exec POD -c NAME -- program`.
  const read = starter.behind ? { options: [], rest: behind } : readOptions(behind, starter)
  if (read === null) return null
  const isDetached = wasDetached || (starter.attaching === undefined && endsEarly(read.options, starter))
  const line = lineIn([...options, ...read.options], starter)
  const place = starter.isPlace ? (rest[0] ?? null) : null
  const link = { program, options: [...options, ...read.options], skipped: rest.slice(0, starter.skip ?? 0) }
  const common = { isDetached, place, chain: [link] }
  // `env -S 'A=b python3' x.py` starts `python3 x.py`.
  if (line !== null) return { kind: 'line', line: [line, ...read.rest].join(' '), by: program, ...common }
  if (read.rest.length === 0) return null
  if (starter.rest === 'line') return { kind: 'line', line: read.rest.join(' '), by: program, ...common }
  return { kind: 'program', words: read.rest, ...common }
}

/** Returns the value of the option that contains a command line. The value may be in the same word or in the next word. */
function lineIn(words: readonly string[], { line }: Starter): string | null {
  return line === undefined ? null : optionValue(words, line)
}

/** Reads the command of an image. Words after the image may be arguments of its entry point, even if they look like a program name. */
function begunInImage(
  by: string,
  options: readonly string[],
  words: readonly string[],
  isDetached: boolean,
): Begun | null {
  const [image, ...behind] = words
  if (image === undefined) return null
  const chain = [{ program: by, options, skipped: [image] }]
  const at = options.findIndex((option) => /^--entrypoint(?:=|$)/.test(option))
  const entry = options[at]?.includes('=') ? options[at]?.replace(/^[^=]*=/, '') : options[at + 1]
  if (at >= 0 && entry) return { kind: 'program', words: [entry, ...behind], isDetached, place: image, chain }
  const isProgram = /^\.{0,2}\//.test(behind[0] ?? '') || isInterpreter(behind[0] ?? '')
  if (isProgram) return { kind: 'program', words: behind, isDetached, place: image, chain }
  return { kind: 'image', image, by, isDetached, place: null, chain }
}

/** Returns LINE of `sh -c LINE`, preceded by a `set` command that sets the shell's options. Returns null if there is no LINE. */
function lineOf(program: string, words: readonly string[]): string | null {
  if (!SHELLS.test(program)) return null
  const at = words.findIndex((word, index) => /^-\w*c\w*$/.test(word) || endsOptions(words, index))
  const line = words[at + 1]
  if (at < 0 || line === undefined || !/^-\w*c\w*$/.test(words[at] ?? '')) return null
  const options = [...words.slice(0, at), (words[at] ?? '').replaceAll('c', '')].filter((word) => word !== '-')
  return options.length === 0 ? line : `set ${options.join(' ')}; ${line}`
}

/** Returns true if the options end before the word, because the word is neither an option nor the value of `-o`. */
function endsOptions(words: readonly string[], index: number): boolean {
  return !/^[-+]/.test(words[index] ?? '') && !/^[-+]\w*o$/.test(words[index - 1] ?? '')
}
