/** Explains how a line hides from the scheduler, and therefore from a check, whether its job ran and succeeded. */

/** The kind of file that contains a command. The advice depends on it. */
export type CommandPlace = 'crontab' | 'unit' | 'manifest'

/** A reason and advice, each of which is a sentence. */
export interface HiddenStatus {
  readonly reason: string
  readonly advice: string
}

/** The shell that executes a line. */
export interface LineShell {
  /** name such as `sh`; null if the name is unknown, as for a user's login shell */
  readonly name: string | null
  /** program that starts the shell, such as `ssh`; null for cron */
  readonly by: string | null
}

/** How a list of commands hides the exit status of one of its commands. */
export type ListCover =
  | 'pipe'
  | 'filter'
  | 'cut'
  | 'empty'
  | 'stopped'
  | 'alternative'
  | 'sequence'
  | 'background'
  | 'unawaited'
  | 'negation'
  | 'loop'

export type Cover =
  | ListCover
  | 'detached'
  | 'service'
  | 'condition'
  | 'skipped'
  | 'missing'
  | 'anacron'
  | 'overlap'
  | 'busy'
  | 'substitution'
  | 'find'
  | 'http'
  | 'sql'
  | 'ampersand'
  | 'coprocess'
  | 'refused'
  | 'untrue'
  | 'unread'

export interface Covered {
  readonly cover: Cover
  /** the program or shell construct to name in the sentence, never an argument */
  readonly what: string
  readonly shell: LineShell
}

export function hiddenStatusOf({ cover, what, shell }: Covered, place: CommandPlace): HiddenStatus {
  const [reason, advice] = WORDS[cover](what, shell, place)
  return { reason, advice }
}

type Words = (what: string, shell: LineShell, place: CommandPlace) => readonly [reason: string, advice: string]

const ONLY_LAST = 'A pipe ("|") has the exit status of its last command only'
const OWN_PING = 'Ping from the job itself, and give the check the schedule on which the job really runs.'
/** Returns advice to treat an empty result as a success. Not being able to read a file remains a failure. */
const passing = (program: string, place: CommandPlace) =>
  `Write \`${program}\` there as \`{ ${program} … || [ ${dollarIn(place)}? -eq 1 ]; }\`, so that no matching line is not a failure.`
const reading = (program: string) =>
  `Write \`${program}\` there as \`{ ${program} …; cat > /dev/null; }\`, so that it does not stop the job early.`
const lineIn = (place: CommandPlace) => (place === 'crontab' ? 'line' : 'command')
/** Returns a `$` for a shell. In a unit file the `$` must be doubled, because systemd replaces `$$` with `$`. */
const dollarIn = (place: CommandPlace) => (place === 'unit' ? '$$' : '$')

const WORDS: Readonly<Record<Cover, Words>> = {
  pipe: (_, shell, place) => [`${ONLY_LAST}.`, `${pipefail(shell, place)}.`],
  filter: (program, shell, place) => [
    `${ONLY_LAST}, and \`${program}\` fails if no line matches.`,
    `${pipefail(shell, place)}. ${passing(program, place)}`,
  ],
  cut: (program, shell, place) => [`${ONLY_LAST}.`, `${pipefail(shell, place)}. ${reading(program)}`],
  empty: (program, _, place) => [
    `\`${program}\` fails if no line matches, and so would the check.`,
    passing(program, place),
  ],
  stopped: (program) => [
    `\`${program}\` stops the job once it has read enough, which would count as a failure.`,
    reading(program),
  ],
  alternative: () => [
    'The command after "||" replaces the exit status of a failed job.',
    'Remove it, or let it end with `exit 1`.',
  ],
  sequence: (_, _shell, place) => [
    'Another command follows the job, and only the exit status of the last one counts.',
    `Join them by \`&&\`, begin the command with \`set -e;\`, or keep the status: \`job; s=${dollarIn(place)}?; other; exit ${dollarIn(place)}s\`.`,
  ],
  background: (_, _shell, place) => [
    `The job runs in the background, behind "&", so the ${lineIn(place)} ends at once, and always with a success.`,
    'Remove the "&".',
  ],
  unawaited: (_, _shell, place) => [
    'The exit status of a job behind "&" is lost.',
    `Keep its process id, and wait for it at the end: \`job & p=${dollarIn(place)}!; other; wait ${dollarIn(place)}p\`.`,
  ],
  negation: () => ['"!" inverts the exit status: a failed job counts as a success.', 'Remove it.'],
  loop: () => ['A loop has the exit status of its last round only.', 'End the command in the loop with `|| exit 1`.'],
  detached: (_, _shell, place) => [
    'The command only starts the job, which continues by itself, so the check does not see its end.',
    `Let the ${lineIn(place)} wait: \`docker run\` or \`docker compose up\` without \`-d\`, \`docker start -a\`, \`systemd-run --wait\`, \`helm --wait\`, or \`kubectl rollout status\` and \`kubectl wait\` behind \`&&\`. Otherwise ping from the job itself.`,
  ],
  service: () => [
    '`systemctl start` waits for the end of a service only if it has `Type=oneshot`. For other services, the check sees only the start.',
    'Add `--wait`.',
  ],
  condition: (_, _shell, place) => [
    `A false condition ends the ${lineIn(place)} with a failure, which the check would show.`,
    `If the job must run each time, leave the ${lineIn(place)} as it is. Otherwise ping from the job itself, and give the check the schedule on which the job really runs.`,
  ],
  skipped: (_, _shell, place) => [
    `If its condition skips the job, the ${lineIn(place)} ends with a success, and the check stays up without a run.`,
    OWN_PING,
  ],
  missing: (_, _shell, place) => [
    `If the program is missing, the ${lineIn(place)} ends with a success, and the check stays up without a run.`,
    'Remove the condition, so that a missing program is a failure.',
  ],
  anacron: () => [
    'Where anacron is installed, it runs these jobs, and the line ends with a success without running them.',
    'If so, leave the line as it is, and create checks for the jobs of /etc/anacrontab instead.',
  ],
  overlap: (_, _shell, place) => [
    `While another run is under way, or its lock is left, the ${lineIn(place)} ends with a success. The check stays up even if that run hangs.`,
    'Limit the time of a run: `timeout 1h job`. Otherwise ping from the job itself.',
  ],
  busy: (program, _shell, place) => [
    `While another run has the lock, ${program === '' ? 'the condition' : `\`${program.replace(/ .*/, '')}\``} ends the ${lineIn(place)} with a failure, which the check would show.`,
    WAITS[program] ?? 'Use `flock`, which waits for the end of the other run.',
  ],
  substitution: () => [
    'The exit status of a command in `$(…)`, `<(…)` or `>(…)` is lost.',
    'Run it as a command of its own, or keep its output: `x=$(job) || exit 1`.',
  ],
  find: (_, _shell, place) => [
    '`find` succeeds even if the commands of its `-exec … \\;` fail.',
    place === 'crontab'
      ? 'End them with `+` in place of `\\;`, or use `find … -print0 | xargs -0 …`.'
      : 'End them with `+` in place of `\\;`.',
  ],
  http: () => [
    'The command succeeds even if the server answers with an error, such as 404 or 500.',
    'Use `curl` with `-f`, or `http` with `--check-status`.',
  ],
  sql: () => ['`psql` succeeds even if a statement of its file or input fails.', 'Add `-v ON_ERROR_STOP=1`.'],
  ampersand: (operator, shell, place) => [
    `${called(shell)} reads the "&" of \`${operator} FILE\` as the background operator, so the ${lineIn(place)} ends at once, and always with a success.`,
    `Write \`${operator.slice(1)} FILE 2>&1\`.`,
  ],
  coprocess: (_, shell) => [
    `${called(shell)} runs the command before "|&" in the background, so its exit status is lost.`,
    'Write `2>&1 |`.',
  ],
  refused: (form, shell, place) => [
    `${called(shell)} does not accept \`${form}\`, so the job does not run.`,
    PORTABLE[form] ?? byBash(shell, place),
  ],
  untrue: (form, shell, place) => [
    `${called(shell)} does not know \`${form}\`, so the condition is never true.`,
    PORTABLE[form] ?? byBash(shell, place),
  ],
  unread: (_, shell) => [
    `${called(shell)} does not know \`source\`, so it does not read that file.`,
    'Write `. FILE`, with a path.',
  ],
}

/** Advice to make a run wait for the lock, or to skip the run without an alert. */
const WAITS: Readonly<Record<string, string>> = {
  flock:
    'Leave out `-n` or `-w`, so that it waits. Or count a skipped run as a success, and limit the time of a run: `flock -n -E 0 LOCK timeout 1h job`.',
  'flock FD':
    'Leave out `-n` or `-w`, so that it waits. Or count a skipped run as a success, and limit the time of a run: `flock -n 9 || exit 0; timeout 1h job`.',
  setlock:
    'Leave out `-n`, so that it waits. Or count a skipped run as a success, and limit the time of a run: `setlock -nx LOCK timeout 1h job`.',
  lckdo:
    'Add `-w`, so that it waits. Or count a skipped run as a success, and limit the time of a run: `lckdo -E 0 LOCK timeout 1h job`.',
  lockf: 'Leave out `-t`, so that it waits.',
  lockrun: 'Add `--wait`.',
  'with-lock-ex': 'Use `-w`, so that it waits.',
}

/** Portable replacements for bash constructs. */
const PORTABLE: Readonly<Record<string, string>> = {
  '>& FILE': 'Write `> FILE 2>&1`.',
  '|&': 'Write `2>&1 |`.',
  '==': 'Write `=`.',
}

const PLAIN_SHELL = /^(?:sh|dash)$/

/** Returns the shell's name for messages. `sh` may be bash or BusyBox on systems other than Debian and Ubuntu. */
const called = ({ name }: LineShell) => (name === 'sh' ? '`sh` of Debian and Ubuntu' : `\`${name ?? 'sh'}\``)

/** Returns advice on how to run the line, without the final full stop. */
function pipefail({ name, by }: LineShell, place: CommandPlace): string {
  if (name !== null && !PLAIN_SHELL.test(name)) return 'Begin it with `set -o pipefail;`'
  if (by === null) return 'Let bash run it, by `SHELL=/bin/bash` above the line, and begin it with `set -o pipefail;`'
  if (by !== name) return `Let bash run the command of \`${by}\`: \`bash -o pipefail -c '…'\``
  const inImage = place === 'manifest' ? ', or by `sh -o pipefail -c` if the image is of Alpine' : ''
  return `Begin it by \`bash -o pipefail -c\` in place of \`${by} -c\`${inImage}`
}

function byBash({ name, by }: LineShell, place: CommandPlace): string {
  if (by === null) return 'Let bash run it, by `SHELL=/bin/bash` above the line.'
  if (by !== name) return `Let bash run the command of \`${by}\`: \`bash -c '…'\`.`
  return `Begin it by \`bash -c\` in place of \`${by} -c\`${place === 'manifest' ? ', if the image has bash' : ''}.`
}
