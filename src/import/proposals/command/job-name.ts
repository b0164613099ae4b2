/** Derives job names. Only program names are used, because other words of a command line may be passwords. */
import { begunBy } from './begun-command.ts'
import { isInterpreter, isScriptName, scriptOf } from './interpreters.ts'
import { lastComponent } from './plain-path.ts'
import { shellCommands } from './shell-commands.ts'

/** Name of a job if no program is recognized in its command line. */
const UNNAMED = 'job'
/** Programs that run before or after the actual job. */
const GUARDS = new Set(
  (
    'cd pushd popd test [ [[ . source sleep export unset umask set shopt trap true false : ulimit fi done esac } for case read wait exit break continue return ' +
    'local declare typeset readonly alias let hash chdir stty (( command type which pgrep pidof mountpoint kinit renice ' +
    'ssh-add ssh-agent workon on_ac_power'
  ).split(' '),
)
/** Returns true for a program that runs before or after the actual job. */
export const isGuard = (word: string) => GUARDS.has(word)
/** Matches programs that select versions of other programs. */
const ENVIRONMENTS = /^(?:asdf|conda|fnm|mamba|micromamba|mise|module|nvm|pyenv|rbenv|sdk)$/
/** Programs that are rarely the actual job. A job is named after such a program only if the line contains no other program. */
const HELPERS = new Set(
  (
    'echo printf mkdir touch date rm ping cat logger env expr grep egrep ip ps who cmp diff sync mount umount ' +
    'kill lockfile lockfile-create dotlockfile shlock'
  ).split(' '),
)
/** Shell keywords that may precede a command. */
const OPENERS = new Set('{ ! if then else elif while until do'.split(' '))
/** Maximum number of nested shells, as in `ssh host "su -c …"`. */
const DEPTH_LIMIT = 5

export interface NamedJob {
  readonly name: string
  /** the program of the job and its arguments, without the programs that start it; empty if no program was recognized */
  readonly words: readonly string[]
  /** directory to which the line changes before the job; null if it does not change the directory */
  readonly folder: string | null
  /** container, pod or host where the job runs, as named in the line; null if it runs where the line runs */
  readonly place: string | null
}

/**
 * Returns the job of a command line. Its name is the last path component of the program, or of the script that an interpreter
 * runs: `python3 /opt/x/backup.py --all` is named `backup.py`, `flock /tmp/lock sh -c 'cd /srv && ./tidy'` is named `tidy`, and
 * `run-parts /etc/cron.daily` is named `cron.daily`.
 */
export function jobOf(command: string): NamedJob {
  return jobIn(command, DEPTH_LIMIT) ?? { name: UNNAMED, words: [], folder: null, place: null }
}

function jobIn(line: string, depth: number): NamedJob | null {
  let helper: NamedJob | null = null
  let substituted: NamedJob | null = null
  let folder: string | null = null
  for (const { words, substitutions } of shellCommands(line)) {
    const inside = depth > 0 ? substitutions.map((one) => jobIn(one.line, depth - 1)) : []
    substituted ??= inside.find((job) => job !== null && !HELPERS.has(job.name)) ?? null
    const command = withoutOpeners(words)
    if (command[0] === 'cd') folder = command[1] ?? null
    if (isPreparation(command)) continue
    const job = jobBegunBy(command, depth)
    if (job === null) return substituted
    const placed = { ...job, folder: job.folder ?? folder }
    if (!HELPERS.has(job.name)) return placed
    helper ??= placed
  }
  return substituted ?? helper
}

/** Removes the shell keywords before a command. */
export function withoutOpeners(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !OPENERS.has(word))
  return first < 0 ? [] : words.slice(first)
}

/**
 * Returns true if a command only prepares a job or waits for it, for example by setting variables, testing a condition, sleeping or locking
 * an open file.
 */
export function isPreparation(words: readonly string[]): boolean {
  const [own = '', next = ''] = words
  if (own === 'eval' && /^[$`]/.test(next)) return true
  const begun = begunBy(words)
  // `exec > log` only opens a file.
  if (begun === null || (own === 'exec' && words.length === 1)) return true
  if (begun.kind !== 'program') return false
  const [first = ''] = begun.words
  const program = first.replace(/^\/(?:usr\/)?bin\//, '')
  // `command -v x` looks for a program, and `command x` starts it.
  if (GUARDS.has(program)) return program !== 'command' || /^-[vV]/.test(begun.words[1] ?? '')
  if (ENVIRONMENTS.test(program)) return /^(?:activate|hook|load|shell|use)$/.test(begun.words[1] ?? '')
  if (lastComponent(program) === 'flock') return /^\d+$/.test(begun.words.at(-1) ?? '')
  // If these programs are given a process id, such as `$$`, they start no program.
  if (/^(?:ionice|chrt|taskset|prlimit)$/.test(program))
    return begun.words.some((word) => /^-\w*p\W?|^--pid/.test(word))
  if (program === 'systemctl') return /^is-/.test(begun.words[1] ?? '')
  return isInterpreter(program) && begun.words.some((word) => /^(?:(?:import|from) .*)?(?:time\.)?sleep\b/s.test(word))
}

function jobBegunBy(command: readonly string[], depth: number): NamedJob | null {
  const begun = begunBy(command)
  if (begun === null) return null
  const { place } = begun
  if (begun.kind === 'image') return { name: imageName(begun.image) ?? begun.by, words: [], folder: null, place }
  if (begun.kind === 'program') {
    const name = nameOf(begun.words)
    return name === null ? null : { name, words: begun.words, folder: null, place }
  }
  const inside = depth > 0 ? jobIn(begun.line, depth - 1) : null
  return inside === null
    ? { name: begun.by, words: [], folder: null, place }
    : { ...inside, place: inside.place ?? place }
}

function nameOf(words: readonly string[]): string | null {
  const [first = '', second = ''] = words
  const program = lastComponent(first)
  // A variable in this position is an interpreter, as in `$PHP /srv/x.php`.
  if (program === null) return /^\$\{?\w+\}?$/.test(first) && isScriptName(second) ? lastComponent(second) : null
  if (program === 'run-parts') return folderOf(words) ?? program
  const script = scriptOf(program, words.slice(1))
  return script === null ? taskOf(program, words.slice(1)) : taskOf(script.name, script.behind)
}

/** Returns the short name of an image, which is `backup` for `ghcr.io/x/backup:1.2@sha256:…`. */
function imageName(image: string): string | null {
  return lastComponent(image.replace(/@.*$/s, '').replace(/:[^/]*$/, ''))
}

/** Programs whose first argument is a task to run. */
const TASK_RUNNERS: Readonly<Record<string, { readonly before?: string; readonly valued?: string }>> = {
  artisan: {},
  composer: { before: 'run' },
  console: {},
  gmake: { valued: 'Cf' },
  just: {},
  make: { valued: 'Cf' },
  'manage.py': {},
  npm: { before: 'run' },
  pnpm: { before: 'run' },
  rake: {},
  yarn: { before: 'run' },
}
const TASK = /^[a-z][a-z-]{0,30}(?:[:._][a-z][a-z-]{0,30}){0,4}$/

/** Adds the task to the name, because a task file usually contains many jobs. `npm run report` becomes `npm report`. */
function taskOf(program: string, words: readonly string[]): string {
  if (!Object.hasOwn(TASK_RUNNERS, program)) return program
  const { before, valued = '' } = TASK_RUNNERS[program] ?? {}
  let rest = words
  while (valued !== '' && new RegExp(`^-[${valued}]$`).test(rest[0] ?? '')) rest = rest.slice(2)
  if (before !== undefined && rest[0] !== before) return program
  const task = rest[before === undefined ? 0 : 1]
  return task !== undefined && TASK.test(task) ? `${program} ${task}` : program
}

function folderOf(words: readonly string[]): string | null {
  const folder = words.slice(1).findLast((word) => word.startsWith('/'))
  return folder === undefined ? null : lastComponent(folder)
}
