/** What is said of a line that hides from cron, and so from a check, how its job has ended. */

export interface HiddenStatus {
  /** a sentence */
  readonly reason: string
  /** a sentence */
  readonly advice: string
}

export type Cover =
  | 'pipe'
  | 'alternative'
  | 'sequence'
  | 'background'
  | 'unawaited'
  | 'negation'
  | 'loop'
  | 'detached'
  | 'service'
  | 'condition'
  | 'skipped'
  | 'substitution'
  | 'find'
  | 'http'
  | 'sql'

export const HIDDEN_STATUSES: Readonly<Record<Cover, HiddenStatus>> = {
  pipe: {
    reason: 'Of commands that are joined by "|", only the last one tells its exit status.',
    advice: 'Let bash run it, in a crontab by `SHELL=/bin/bash` above the line, and begin it with `set -o pipefail;`.',
  },
  alternative: {
    reason: 'What follows "||" takes the place of the exit status of a job that fails.',
    advice: 'Remove it, or let it end with `exit 1`.',
  },
  sequence: {
    reason: 'The job is followed by another command, and only the last one tells its exit status.',
    advice: 'Join them by `&&`, begin the command with `set -e;`, or keep the status: `job; s=$?; other; exit $s`.',
  },
  background: {
    reason: 'The job runs in the background, behind "&", so the line ends at once, and always with a success.',
    advice: 'Remove the "&".',
  },
  unawaited: {
    reason: 'The exit status of a job behind "&" is lost.',
    advice: 'Keep its process id, and wait for it at the end: `job & p=$!; other; wait $p`.',
  },
  negation: {
    reason: 'A "!" turns the exit status around: a job that fails tells a success.',
    advice: 'Remove it.',
  },
  loop: {
    reason: 'Of a loop, only the last round tells its exit status.',
    advice: 'End the command in the loop with `|| exit 1`.',
  },
  detached: {
    reason: 'The command only starts the job, which goes on by itself, so the check does not see how it ends.',
    advice:
      'Let the line wait: `docker run` or `docker compose up` without `-d`, `docker start -a`, `systemd-run --wait`. Otherwise ping from the job itself.',
  },
  service: {
    reason:
      '`systemctl start` waits for the end of a service only if it has `Type=oneshot`. Of others the check sees only the start.',
    advice: 'Add `--wait`.',
  },
  condition: {
    reason: 'A condition that is false ends the line with a failure, which the check would show.',
    advice:
      'If the job has to run each time, leave the line as it is. Otherwise ping from the job itself, and give the check the schedule on which the job really runs.',
  },
  skipped: {
    reason:
      'When its condition keeps the job from running, the line ends with a success, so the check stays up without the job.',
    advice: 'Ping from the job itself, and give the check the schedule on which the job really runs.',
  },
  substitution: {
    reason: 'The exit status of a command in `$(…)`, `<(…)` or `>(…)` is lost.',
    advice: 'Run it as a command of its own, or keep its output: `x=$(job) || exit 1`.',
  },
  find: {
    reason: '`find` tells a success whatever the commands of its `-exec … \\;` end with.',
    advice: 'End them with `+` in place of `\\;`, or use `find … -print0 | xargs -0 …`.',
  },
  http: {
    reason: 'The command tells a success also when the server answers with an error, such as 404 or 500.',
    advice: 'Use `curl` with `-f`, or `http` with `--check-status`.',
  },
  sql: {
    reason: '`psql` tells a success also when a statement of its file or input fails.',
    advice: 'Add `-v ON_ERROR_STOP=1`.',
  },
}
